import { l10n } from "vscode";
import { readSettings, writeSetting } from "../../settings";
import { offerChoices, pickFrom } from "../choices";
import type { Command } from "../command";

export const selectStrategy: Command = {
  id: "kernelwright.selectStrategy",
  async run({ connection }) {
    const { strategy } = readSettings();
    const chosen = await pickFrom(await offerChoices(connection, "strategies", strategy), {
      placeHolder: l10n.t("How should candidates be found? Now: {0}", strategy),
      isInUse: ({ choice }) => choice.id === strategy,
    });
    if (chosen !== undefined) await writeSetting("strategy", chosen.choice.id);
  },
};

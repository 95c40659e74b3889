import { l10n, window } from "vscode";
import { readSettings, writeSetting } from "../../settings";
import { offerChoices } from "../choices";
import type { Command } from "../command";

export const selectStrategy: Command = {
  id: "kernelwright.selectStrategy",
  async run({ connection }) {
    const { strategy } = readSettings();
    const chosen = await window.showQuickPick(offerChoices(connection, "strategies", strategy), {
      placeHolder: l10n.t("How should candidates be found? Now: {0}", strategy),
    });
    if (chosen !== undefined) await writeSetting("strategy", chosen.choice.id);
  },
};

import { l10n, window } from "vscode";
import type { Settings } from "../../../../server/protocol/settings";
import { readSettings, writeSetting } from "../../settings";
import type { Command } from "../command";

const strategies: readonly { readonly label: Settings["strategy"]; readonly description: string }[] = [
  { label: "rulebook", description: "profile-guided rewrites; needs no model and no key" },
  { label: "refine", description: "a model proposes, the same gates judge; needs an endpoint" },
];

export const selectStrategy: Command = {
  id: "kernelwright.selectStrategy",
  async run() {
    const { strategy } = readSettings();
    const chosen = await window.showQuickPick(strategies, {
      placeHolder: l10n.t("How should candidates be found? Now: {0}", strategy),
    });
    if (chosen !== undefined) await writeSetting("strategy", chosen.label);
  },
};

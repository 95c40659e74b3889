import { l10n, window } from "vscode";
import type { Command } from "../command";

/** Shows only sessions in which some words occur. */
export const filterSessions: Command = {
  id: "kernelwright.filterSessions",
  async run(parts) {
    const words = await window.showInputBox({
      title: l10n.t("Filter Sessions"),
      prompt: l10n.t(
        "Words of the name, kernel, file, outcome, target or strategy. Empty shows all sessions.",
      ),
      value: parts.sessionTree.filter,
    });
    if (words !== undefined) await parts.sessionTree.filterBy(words.trim());
  },
};

export const clearSessionFilter: Command = {
  id: "kernelwright.clearSessionFilter",
  run: (parts) => parts.sessionTree.filterBy(""),
};

export const groupSessions: Command = {
  id: "kernelwright.groupSessions",
  run: (parts) => parts.sessionTree.groupByKernel(true),
};

export const ungroupSessions: Command = {
  id: "kernelwright.ungroupSessions",
  run: (parts) => parts.sessionTree.groupByKernel(false),
};

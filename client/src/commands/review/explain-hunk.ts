import { l10n } from "vscode";
import { complain } from "../arguments";
import type { Command } from "../command";
import { reviewFrom } from "./hunk-argument";

export const explainHunk: Command = {
  id: "kernelwright.explainHunk",
  async run(parts, argument) {
    const sessionId = reviewFrom(parts, argument);
    const proposal = sessionId === undefined ? undefined : parts.reviews.get(sessionId)?.proposal;
    if (proposal === undefined) return complain(l10n.t("There is no proposal under review in this editor."));
    await parts.reports.showPage(l10n.t("Why this change"), proposal.detail);
  },
};

import { l10n } from "vscode";
import { complain, sessionFrom } from "../arguments";
import type { Command } from "../command";

export const reviewProposal: Command = {
  id: "kernelwright.reviewProposal",
  async run(parts, argument) {
    const sessionId = await sessionFrom(parts, argument, {
      placeHolder: l10n.t("Whose proposal?"),
      none: l10n.t("No session has a proposal yet: optimize a kernel first."),
      fits: (session) => session.hasProposal,
    });
    if (sessionId === undefined) return;
    if (!(await parts.desk.open(sessionId)))
      complain(l10n.t("This session has no proposal: no candidate was better than the baseline."));
  },
};

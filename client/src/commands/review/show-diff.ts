import { commands, l10n, Uri, workspace } from "vscode";
import { sideAddress } from "../../review/proposal-documents";
import { complain } from "../arguments";
import type { Command } from "../command";
import { reviewFrom } from "./hunk-argument";

export const showDiff: Command = {
  id: "kernelwright.showDiff",
  async run(parts, argument) {
    const sessionId = reviewFrom(parts, argument);
    if (sessionId === undefined) return;
    const proposal =
      parts.reviews.get(sessionId)?.proposal ??
      (await parts.connection.request("kernelwright/proposal", { sessionId }));
    if (proposal === null) return complain(l10n.t("This session has no proposal."));
    // Under review, what is left to decide; else the proposal as it was made.
    const isReviewed = parts.reviews.get(sessionId) !== undefined;
    const sides = isReviewed ? (["present", "merged"] as const) : (["base", "proposed"] as const);
    const triples = proposal.files.map(
      (file) =>
        [
          Uri.parse(file.uri),
          sideAddress(sessionId, file.uri, sides[0]),
          sideAddress(sessionId, file.uri, sides[1]),
        ] as const,
    );
    const [only] = triples;
    if (triples.length > 1) {
      await commands.executeCommand("vscode.changes", l10n.t("Proposal: {0}", proposal.hypothesis), triples);
    } else if (only !== undefined) {
      await commands.executeCommand(
        "vscode.diff",
        only[1],
        only[2],
        isReviewed
          ? l10n.t("{0}: as it is ↔ proposed", workspace.asRelativePath(only[0]))
          : l10n.t("{0}: as it was ↔ proposed", workspace.asRelativePath(only[0])),
        { preview: true },
      );
    }
  },
};

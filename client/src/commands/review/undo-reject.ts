import { l10n, window } from "vscode";
import { reviewsShownIn } from "../../review/locate";
import { rejectedHunks } from "../../review/review-store";
import { complain } from "../arguments";
import type { Command, Parts } from "../command";
import { reviewFrom } from "./hunk-argument";

/** Opens every rejected change of the proposal again. */
export const undoReject: Command = {
  id: "kernelwright.undoReject",
  async run(parts, argument) {
    const sessionId = reviewFrom(parts, argument ?? withRejected(parts));
    const review = sessionId === undefined ? undefined : parts.reviews.get(sessionId);
    if (sessionId === undefined || review === undefined) return;
    const hunks = rejectedHunks(review).map((hunk) => hunk.id);
    if (hunks.length === 0) return complain(l10n.t("No change of this proposal is rejected."));
    await parts.decider.record(sessionId, hunks, "undone");
  },
};

/** The newest review in the active editor of which a change is rejected. */
function withRejected(parts: Parts): { readonly sessionId: string } | undefined {
  const document = window.activeTextEditor?.document;
  const shown = document === undefined ? [] : reviewsShownIn(parts.reviews, document);
  return shown.findLast((review) => rejectedHunks(review).length > 0)?.proposal;
}

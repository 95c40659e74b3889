import { l10n } from "vscode";
import { rejectedHunks } from "../../review/review-store";
import { complain } from "../arguments";
import type { Command } from "../command";
import { reviewFrom } from "./hunk-argument";

/** Opens every rejected change of the proposal again. */
export const undoReject: Command = {
  id: "kernelwright.undoReject",
  async run(parts, argument) {
    const sessionId = reviewFrom(parts, argument);
    const review = sessionId === undefined ? undefined : parts.reviews.get(sessionId);
    if (sessionId === undefined || review === undefined) return;
    const hunks = rejectedHunks(review).map((hunk) => hunk.id);
    if (hunks.length === 0) return complain(l10n.t("No change of this proposal is rejected."));
    await parts.decider.record(sessionId, hunks, "undone");
  },
};

import { rejectedWith } from "../../../../server/core/review/taken-together";
import type { Command, Parts } from "../command";
import { hunksToAccept } from "./decide-hunk";
import { openHunksHere, reviewFrom } from "./hunk-argument";

/** The open hunks of a proposal in the active editor. */
function hunksHere(parts: Parts, sessionId: string): readonly string[] {
  return openHunksHere(parts)
    .filter(({ review }) => review.proposal.sessionId === sessionId)
    .map(({ hunk }) => hunk.id);
}

/** Accepts what a proposal changes in the active file, with what that needs in others. */
export const acceptFile: Command = {
  id: "kernelwright.acceptFile",
  async run(parts, argument) {
    const sessionId = reviewFrom(parts, argument);
    const review = sessionId === undefined ? undefined : parts.reviews.get(sessionId);
    if (sessionId === undefined || review === undefined) return;
    const hunks = await hunksToAccept(review, hunksHere(parts, sessionId));
    if (hunks.length > 0) await parts.decider.decide(sessionId, hunks, "accepted");
  },
};

/** Rejects what a proposal changes in the active file, with what does not work without it. */
export const rejectFile: Command = {
  id: "kernelwright.rejectFile",
  async run(parts, argument) {
    const sessionId = reviewFrom(parts, argument);
    const review = sessionId === undefined ? undefined : parts.reviews.get(sessionId);
    if (sessionId === undefined || review === undefined) return;
    const together = hunksHere(parts, sessionId).flatMap((hunk) => rejectedWith(review.proposal.hunks, hunk));
    const hunks = [...new Set(together.map(({ id }) => id))];
    if (hunks.length > 0) await parts.decider.decide(sessionId, hunks, "rejected");
  },
};

import { openHunks } from "../../review/review-store";
import type { Command } from "../command";
import { reviewFrom } from "./hunk-argument";

/** Decides on every open hunk at once: one merge, one undo step. */
function decideAll(id: Command["id"], decision: "accepted" | "rejected"): Command {
  return {
    id,
    async run(parts, argument) {
      const sessionId = reviewFrom(parts, argument);
      const review = sessionId === undefined ? undefined : parts.reviews.get(sessionId);
      const hunks = review === undefined ? [] : openHunks(review).map((hunk) => hunk.id);
      if (sessionId !== undefined && hunks.length > 0) await parts.decider.decide(sessionId, hunks, decision);
    },
  };
}

export const acceptAll = decideAll("kernelwright.acceptAll", "accepted");
export const rejectAll = decideAll("kernelwright.rejectAll", "rejected");

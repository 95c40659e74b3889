import type { Command } from "../command";
import { reviewFrom } from "./hunk-argument";

/** Takes the proposal off the editor without deciding anything; its session keeps it. */
export const endReview: Command = {
  id: "kernelwright.endReview",
  async run(parts, argument) {
    const sessionId = reviewFrom(parts, argument);
    if (sessionId !== undefined) parts.reviews.detach(sessionId);
  },
};

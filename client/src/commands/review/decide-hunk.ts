import type { Command } from "../command";
import { hunkFrom } from "./hunk-argument";

function decideHunk(id: Command["id"], decision: "accepted" | "rejected"): Command {
  return {
    id,
    async run(parts, argument) {
      const target = hunkFrom(parts, argument);
      if (target !== undefined) await parts.decider.decide(target.sessionId, [target.hunk], decision);
    },
  };
}

export const acceptHunk = decideHunk("kernelwright.acceptHunk", "accepted");
export const rejectHunk = decideHunk("kernelwright.rejectHunk", "rejected");

import type { ProposalSide, ScoreSide } from "../events";

interface Sides<Side> {
  readonly before: Side;
  readonly after: Side;
}

/** What was counted on both sides of a kernel's proposal; undefined for a target with a command. */
export function countedSides({
  before,
  after,
}: Sides<ProposalSide | ScoreSide>): Sides<ProposalSide> | undefined {
  return "score" in before || "score" in after ? undefined : { before, after };
}

/** What the command of a target gave on both sides; undefined for a kernel. */
export function scoredSides({
  before,
  after,
}: Sides<ProposalSide | ScoreSide>): Sides<ScoreSide> | undefined {
  return "score" in before && "score" in after ? { before, after } : undefined;
}

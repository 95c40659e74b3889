import { invariant } from "../../base/assert";
import type { FaultSide, ProposalBefore, ProposalSide, ScoreSide } from "../events";

/** What was found about the baseline and the version that is proposed for it, by what can be compared. */
export type ProposalSides =
  /** A kernel: both were counted and modelled. */
  | { readonly kind: "counted"; readonly before: ProposalSide; readonly after: ProposalSide }
  /** A target with a command: both have its score. */
  | { readonly kind: "scored"; readonly before: ScoreSide; readonly after: ScoreSide }
  /** The baseline was not correct: what is proposed is, and there is no gain to tell. */
  | { readonly kind: "mended"; readonly before: FaultSide; readonly after: ProposalSide | ScoreSide };

/** Both sides of a proposal. */
export function sidesOf({ before, after }: Proposed): ProposalSides {
  if ("outcome" in before) return { kind: "mended", before, after };
  if ("score" in before && "score" in after) return { kind: "scored", before, after };
  invariant(!("score" in before || "score" in after), "a proposal has scores on both sides or on none");
  return { kind: "counted", before, after };
}

interface Proposed {
  readonly before: ProposalBefore;
  readonly after: ProposalSide | ScoreSide;
}

import type { ReviewedHunk } from "./hunk";
import type { LineEdit } from "./line-edit";
import { placeHunks, type Placement, type ReviewedText } from "./placement";

/** What the user decides on some hunks of one file. */
interface HunkDecision extends ReviewedText {
  /** Hunks that are decided now. */
  readonly decided: ReadonlySet<string>;
  /** `proposed` puts them in, `base` takes them out again. */
  readonly to: "proposed" | "base";
}

export interface HunkConflict {
  readonly hunk: string;
  /** Zero-based line of the present text. */
  readonly line: number;
}

/** All edits of a decision, or every hunk that stands in its way: never a part of it. */
export type Merge =
  | { readonly kind: "merged"; readonly edits: readonly LineEdit[] }
  | { readonly kind: "conflict"; readonly conflicts: readonly HunkConflict[] };

/**
 * Carries a decision over to the text as it is now: a three-way merge of the base, the proposal and the
 * user's edits. A hunk that already stands as decided needs no edit. One whose lines the user changed is a
 * conflict, and then nothing at all is merged.
 */
export function mergeHunks(decision: HunkDecision): Merge {
  const placements = placeHunks(decision);
  const decided = decision.hunks.filter((hunk) => decision.decided.has(hunk.id));
  const located = decided.flatMap((hunk) => {
    const placement = placements.get(hunk.id);
    return placement === undefined ? [] : [{ hunk, placement }];
  });
  const conflicts = located
    .filter(({ placement }) => placement.state === "edited")
    .map(({ hunk, placement }) => ({ hunk: hunk.id, line: lineOf(placement, decision.present) }));
  if (conflicts.length > 0) return { kind: "conflict", conflicts };
  const edits = located
    .filter(({ placement }) => placement.state !== decision.to)
    .map(({ hunk, placement }) => ({
      startLine: placement.start,
      endLine: placement.end,
      lines: linesOf(hunk, decision.to),
    }))
    .sort((a, b) => a.startLine - b.startLine || a.endLine - b.endLine);
  return { kind: "merged", edits };
}

function linesOf(hunk: ReviewedHunk, side: "proposed" | "base"): readonly string[] {
  return side === "proposed" ? hunk.proposedLines : hunk.baseLines;
}

/** A line that exists: a hunk at the very end of a text begins behind its last line. */
function lineOf(placement: Placement, present: string): number {
  return Math.min(placement.start, present.split("\n").length - 1);
}

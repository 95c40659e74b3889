import type { Hunk } from "../../../server/core/review/hunk";

/** What would stand in place of a line, or below it. */
export interface NewLine {
  /** Counted from the first line of the hunk; -1 is the line above an insertion. */
  readonly row: number;
  /** Without its indentation; empty for a blank line. */
  readonly text: string;
  /** How many lines of the change follow that have no row of their own. */
  readonly more: number;
}

/** A longer line is cut; the diff shows all of it. */
const longest = 100;

/**
 * The new lines of a hunk, each beside the old line at its place. Those beyond the old lines are counted on
 * the last; an insertion stands beside the line above it. Lines that only go have none.
 */
export function newLines({ baseLines, proposedLines }: Hunk): readonly NewLine[] {
  const isInsertion = baseLines.length === 0;
  const shown = proposedLines.slice(0, isInsertion ? 1 : baseLines.length);
  const more = proposedLines.length - shown.length;
  return shown
    .map((line, place) => ({
      row: isInsertion ? -1 : place,
      text: cut(line.trim()),
      more: place === shown.length - 1 ? more : 0,
    }))
    .filter((line) => line.text !== "" || line.more > 0);
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

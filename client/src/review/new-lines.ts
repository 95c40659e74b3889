import type { Hunk } from "../../../server/core/review/hunk";
import { columnsOf, shownColumns } from "../documents/line-width";

/** What would stand in place of a line, or below it. */
export interface NewLine {
  /** Counted from the first line of the hunk; -1 is the line above an insertion. */
  readonly row: number;
  /** Without its indentation; empty for a blank line. */
  readonly text: string;
  /** How many lines of the change follow that have no row of their own. */
  readonly more: number;
}

/** Between the old line and the new one, with the mark in front of that. */
const marginColumns = 6;
/** What is said of lines that have no row of their own. */
const moreColumns = 22;
/** So much of a new line is shown behind an old one of any length. */
const leastColumns = 40;

/**
 * The new lines of a hunk, each beside the old line at its place. Those beyond the old lines are counted on
 * the last; an insertion stands beside the line above it. Lines that only go have none. A line that would run
 * off the window begins where it differs from the old one; the hover and the diff have all of it.
 */
export function newLines({ baseLines, proposedLines }: Hunk, lineAbove = ""): readonly NewLine[] {
  const isInsertion = baseLines.length === 0;
  const shown = proposedLines.slice(0, isInsertion ? 1 : baseLines.length);
  const more = proposedLines.length - shown.length;
  return shown
    .map((line, place) => {
      const beside = isInsertion ? lineAbove : (baseLines[place] ?? "");
      const follow = place === shown.length - 1 ? more : 0;
      const taken = columnsOf(beside) + marginColumns + (follow > 0 ? moreColumns : 0);
      const room = Math.max(leastColumns, shownColumns - taken);
      const old = isInsertion ? "" : beside.trim();
      return { row: isInsertion ? -1 : place, text: fitted(line.trim(), old, room), more: follow };
    })
    .filter((line) => line.text !== "" || line.more > 0);
}

/** All of a line where there is room, else from where it differs from the old one, and no more than fits. */
function fitted(text: string, old: string, room: number): string {
  if (text.length <= room) return text;
  const told = fromDifference(text, old);
  return told.length <= room ? told : `${told.slice(0, room - 1)}…`;
}

function fromDifference(text: string, old: string): string {
  let same = 0;
  while (same < text.length && text[same] === old[same]) same += 1;
  // A name or a number stands there as a whole.
  while (same > 0 && /[\w.]/.test(text.charAt(same - 1))) same -= 1;
  return same === 0 || same === text.length ? text : `…${text.slice(same)}`;
}

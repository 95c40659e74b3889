import type { Hunk } from "../../../server/core/review/hunk";
import { pairLines, type PairedLine } from "../../../server/core/review/line-pairs";
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

/** Hunks are values, and are asked for again with every key. */
const pairs = new WeakMap<Hunk, readonly PairedLine[]>();

function paired(hunk: Hunk): readonly PairedLine[] {
  const known = pairs.get(hunk) ?? pairLines(hunk.baseLines, hunk.proposedLines);
  pairs.set(hunk, known);
  return known;
}

/** Rows of a hunk, from its first line, that it takes away or replaces: not those that stay between them. */
export function replacedRows(hunk: Hunk): readonly number[] {
  return paired(hunk).flatMap(({ stays }, row) => (stays ? [] : [row]));
}

/**
 * The new lines of a hunk, each beside the old line that it replaces, further ones beside the line that they
 * follow, where the first is told and the others are counted. An insertion stands beside the line above it.
 * Lines that only go have none. A line that would run off the window begins where it differs from the old
 * one; the hover and the diff have all of it.
 */
export function newLines(hunk: Hunk, lineAbove = ""): readonly NewLine[] {
  const { baseLines, proposedLines } = hunk;
  if (baseLines.length === 0) return told(-1, lineAbove, { newLines: proposedLines, stays: true });
  return paired(hunk).flatMap((pair, row) => told(row, baseLines[row] ?? "", pair));
}

function told(row: number, beside: string, { stays, newLines: added }: PairedLine): readonly NewLine[] {
  const [line] = added;
  if (line === undefined) return [];
  const more = added.length - 1;
  const taken = columnsOf(beside) + marginColumns + (more > 0 ? moreColumns : 0);
  const room = Math.max(leastColumns, shownColumns - taken);
  const text = fitted(line.trim(), stays ? "" : beside.trim(), room);
  return text === "" && more === 0 ? [] : [{ row, text, more }];
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

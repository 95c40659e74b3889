import type { HunkView } from "../../../server/protocol/views";
import { type Alignment, alignLines } from "./line-alignment";

/**
 * Where a hunk stands in the present text: `base` = its old lines are there, `proposed` = its new ones,
 * `edited` = neither.
 */
export interface Placement {
  readonly state: "base" | "proposed" | "edited";
  /** Zero-based, half open, in the present text. */
  readonly start: number;
  readonly end: number;
}

export function splitLines(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

/** The base with the accepted hunks in it, and where each hunk stands there. */
interface Composition {
  readonly lines: readonly string[];
  readonly ranges: ReadonlyMap<string, readonly [number, number]>;
}

function composeText(
  base: readonly string[],
  hunks: readonly HunkView[],
  taken: (hunk: HunkView) => boolean,
): Composition {
  const lines: string[] = [];
  const ranges = new Map<string, readonly [number, number]>();
  let next = 0;
  for (const hunk of [...hunks].sort((a, b) => a.baseStart - b.baseStart)) {
    lines.push(...base.slice(next, hunk.baseStart));
    const start = lines.length;
    lines.push(...(taken(hunk) ? hunk.proposedLines : hunk.baseLines));
    ranges.set(hunk.id, [start, lines.length]);
    next = hunk.baseStart + hunk.baseLines.length;
  }
  lines.push(...base.slice(next));
  return { lines, ranges };
}

/**
 * Finds every hunk of one file in the text as it is now. The text is compared with what it would be by the
 * decisions taken, so that only the user's own edits differ; a hunk that is not found so is looked for as if
 * nothing had been accepted (an undo).
 * @param baseText the text that the proposal was made from
 * @param hunks all hunks of the file
 * @param presentText the text as the editor has it
 */
export function placeHunks(
  baseText: string,
  hunks: readonly HunkView[],
  presentText: string,
): ReadonlyMap<string, Placement> {
  const base = splitLines(baseText);
  const present = splitLines(presentText);
  const decided = composeText(base, hunks, (hunk) => hunk.decision === "accepted");
  const decidedAlignment = alignLines(decided.lines, present);
  const untouched = composeText(base, hunks, () => false);
  const untouchedAlignment = hunks.some((hunk) => hunk.decision === "accepted")
    ? alignLines(untouched.lines, present)
    : decidedAlignment;
  const placements = new Map<string, Placement>();
  for (const hunk of hunks) {
    const first = placeOne(hunk, {
      composition: decided,
      alignment: decidedAlignment,
      present,
      shows: hunk.decision === "accepted" ? "proposed" : "base",
    });
    const second =
      first.state === "edited" && hunk.decision === "accepted"
        ? placeOne(hunk, { composition: untouched, alignment: untouchedAlignment, present, shows: "base" })
        : first;
    placements.set(hunk.id, second.state === "edited" ? first : second);
  }
  return placements;
}

interface Search {
  readonly composition: Composition;
  readonly alignment: Alignment;
  readonly present: readonly string[];
  /** Which of the hunk's two sides stands in the composition. */
  readonly shows: "base" | "proposed";
}

function placeOne(hunk: HunkView, search: Search): Placement {
  const { composition, alignment, present, shows } = search;
  const [start, end] = composition.ranges.get(hunk.id) ?? [0, 0];
  const direct = contiguous(alignment, start, end);
  if (direct !== undefined) return { state: shows, start: direct, end: direct + end - start };
  let before = start - 1;
  while (before >= 0 && alignment[before] === -1) before -= 1;
  let after = end;
  while (after < composition.lines.length && alignment[after] === -1) after += 1;
  const from = before < 0 ? 0 : (alignment[before] ?? -1) + 1;
  const to = after >= composition.lines.length ? present.length : (alignment[after] ?? present.length);
  const prefix = composition.lines.slice(before + 1, start);
  const suffix = composition.lines.slice(end, after);
  for (const side of ["proposed", "base"] as const) {
    const lines = side === "base" ? hunk.baseLines : hunk.proposedLines;
    if (sameLines(present.slice(from, to), [...prefix, ...lines, ...suffix]))
      return { state: side, start: from + prefix.length, end: from + prefix.length + lines.length };
  }
  return { state: "edited", start: from, end: Math.max(from, to) };
}

/**
 * Where the lines [start, end) stand, when all are there side by side; for an empty range the place between
 * its two neighbours.
 */
function contiguous(alignment: Alignment, start: number, end: number): number | undefined {
  if (start < end) {
    const first = alignment[start] ?? -1;
    const whole =
      first >= 0 &&
      Array.from({ length: end - start }, (_, offset) => alignment[start + offset] === first + offset).every(
        Boolean,
      );
    return whole ? first : undefined;
  }
  const before = start === 0 ? -1 : alignment[start - 1];
  const after = alignment[end];
  if (before !== undefined && after !== undefined && (start === 0 || before >= 0) && after === before + 1)
    return after;
  return undefined;
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

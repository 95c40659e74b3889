import { at } from "../base/known";
import { diffArrays } from "diff";
import { invariant } from "../base/assert";
import type { ReviewedHunk } from "./hunk";
import { splitLines } from "./line-edit";

/**
 * Where a hunk stands in the present text: `base` = its old lines are there, `proposed` = its new ones are,
 * `edited` = neither: the user changed them.
 */
export interface Placement {
  readonly state: "base" | "proposed" | "edited";
  /** Zero-based, half open, in the present text; of an edited hunk, what stands between its neighbours. */
  readonly start: number;
  readonly end: number;
}

/** One file under review. */
export interface ReviewedText {
  /** The text that the proposal was made from. */
  readonly base: string;
  /** All hunks of the file, whatever was decided on them. */
  readonly hunks: readonly ReviewedHunk[];
  /** The text as the editor has it, with the user's own edits. */
  readonly present: string;
}

/** More differing lines than this are not aligned: the texts have little to do with each other. */
const differenceLimit = 2_000;

/**
 * Finds every hunk of a file in its present text, by id. This is the one place where that is decided: what
 * the editor shows, what Accept and Reject edit and what counts as a conflict all follow from it.
 *
 * The text is compared with the base in which the accepted hunks stand. Undo and redo make the text differ
 * from the decisions, so a hunk's other side is assumed wherever that leaves fewer differing lines.
 */
export function placeHunks({ base, hunks, present }: ReviewedText): ReadonlyMap<string, Placement> {
  const ordered = [...hunks].sort((a, b) => a.baseStart - b.baseStart);
  const composer = new Composer(splitLines(base), ordered);
  const best = explain(composer, ordered, splitLines(present));
  return new Map(ordered.map((hunk) => [hunk.id, placementIn(best, hunk.id)]));
}

interface Composition {
  readonly lines: readonly string[];
  /** Half-open range of each hunk in these lines. */
  readonly ranges: ReadonlyMap<string, readonly [number, number]>;
  /** Hunks that stand here with their proposed side. */
  readonly taken: ReadonlySet<string>;
}

/** A composition next to the present text. */
interface Explanation extends Composition {
  /** For each line of the composition its line in the present text, -1 where it is gone. */
  readonly alignment: Int32Array;
  /** Lines that were added or removed. */
  readonly distance: number;
  readonly presentLength: number;
}

class Composer {
  constructor(
    private readonly base: readonly string[],
    private readonly ordered: readonly ReviewedHunk[],
  ) {}

  compose(taken: ReadonlySet<string>): Composition {
    const lines: string[] = [];
    const ranges = new Map<string, readonly [number, number]>();
    let next = 0;
    for (const hunk of this.ordered) {
      lines.push(...this.base.slice(next, hunk.baseStart - 1));
      const start = lines.length;
      lines.push(...(taken.has(hunk.id) ? hunk.proposedLines : hunk.baseLines));
      ranges.set(hunk.id, [start, lines.length]);
      next = hunk.baseStart - 1 + hunk.baseLines.length;
    }
    lines.push(...this.base.slice(next));
    return { lines, ranges, taken };
  }
}

/** The decisions themselves, unless other sides of some hunks fit the present text strictly better. */
function explain(
  composer: Composer,
  ordered: readonly ReviewedHunk[],
  present: readonly string[],
): Explanation {
  const accepted = new Set(ordered.filter((hunk) => hunk.decision === "accepted").map((hunk) => hunk.id));
  const decided = composer.compose(accepted);
  let best = compare(decided, present, differenceLimit) ?? unrelated(decided, present);
  const consider = (taken: ReadonlySet<string>): void => {
    if (best.distance === 0) return;
    best = compare(composer.compose(taken), present, best.distance - 1) ?? best;
  };
  consider(new Set());
  consider(new Set(ordered.map((hunk) => hunk.id)));
  for (const { id } of ordered) {
    const flipped = new Set(best.taken);
    if (!flipped.delete(id)) flipped.add(id);
    consider(flipped);
  }
  return best;
}

/** Aligns a composition with the present text; undefined when more than `limit` lines differ. */
function compare(
  composition: Composition,
  present: readonly string[],
  limit: number,
): Explanation | undefined {
  const { lines } = composition;
  const head = commonHead(lines, present);
  const tail = commonTail(lines, present, head);
  const from = lines.slice(head, lines.length - tail);
  const to = present.slice(head, present.length - tail);
  const parts = diffArrays(from, to, { maxEditLength: limit });
  if (parts === undefined) return undefined;
  const alignment = new Int32Array(lines.length).fill(-1);
  for (let index = 0; index < head; index += 1) alignment[index] = index;
  for (let index = 1; index <= tail; index += 1) alignment[lines.length - index] = present.length - index;
  let source = head;
  let target = head;
  let distance = 0;
  for (const { added, removed, value } of parts) {
    if (added || removed) distance += value.length;
    if (added) target += value.length;
    else if (removed) source += value.length;
    else for (let count = 0; count < value.length; count += 1) alignment[source++] = target++;
  }
  return { ...composition, alignment, distance, presentLength: present.length };
}

/** No line of the composition is found again. */
function unrelated(composition: Composition, present: readonly string[]): Explanation {
  return {
    ...composition,
    alignment: new Int32Array(composition.lines.length).fill(-1),
    distance: differenceLimit + 1,
    presentLength: present.length,
  };
}

function commonHead(from: readonly string[], to: readonly string[]): number {
  let count = 0;
  while (count < from.length && count < to.length && from[count] === to[count]) count += 1;
  return count;
}

function commonTail(from: readonly string[], to: readonly string[], head: number): number {
  const room = Math.min(from.length, to.length) - head;
  let count = 0;
  while (count < room && from[from.length - 1 - count] === to[to.length - 1 - count]) count += 1;
  return count;
}

function placementIn(explanation: Explanation, id: string): Placement {
  const { alignment, ranges, taken } = explanation;
  const range = ranges.get(id);
  invariant(range !== undefined, "every hunk of the file stands in a composition");
  const [start, end] = range;
  const found = contiguous(alignment, start, end);
  if (found === undefined) return { state: "edited", ...between(explanation, start, end) };
  return { state: taken.has(id) ? "proposed" : "base", start: found, end: found + end - start };
}

/**
 * Where the lines [start, end) stand when all of them are there side by side. For an insertion, which has no
 * lines, both neighbours must still be neighbours; the ends of the text are neighbours as well.
 */
function contiguous(alignment: Int32Array, start: number, end: number): number | undefined {
  if (start === end) return insertionPoint(alignment, start);
  const first = alignment[start];
  if (first === undefined || first < 0) return undefined;
  for (let index = start; index < end; index += 1)
    if (alignment[index] !== first + index - start) return undefined;
  return first;
}

function insertionPoint(alignment: Int32Array, at: number): number | undefined {
  const before = at === 0 ? -1 : alignment[at - 1];
  const after = alignment[at];
  if (before === undefined || (at > 0 && before < 0)) return undefined;
  if (after === undefined) return before + 1;
  return after === before + 1 ? after : undefined;
}

/** What stands in the present text between the nearest lines around [start, end) that are still there. */
function between(
  { alignment, presentLength }: Explanation,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } {
  let before = start - 1;
  while (before >= 0 && alignment[before] === -1) before -= 1;
  let after = end;
  while (after < alignment.length && alignment[after] === -1) after += 1;
  const from = before < 0 ? 0 : at(alignment, before) + 1;
  const to = after >= alignment.length ? presentLength : at(alignment, after);
  return { start: from, end: Math.max(from, to) };
}

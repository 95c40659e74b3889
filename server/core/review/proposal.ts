import { diffArrays } from "diff";
import type { StoredHunk } from "../trajectory/events";

/**
 * Replaces whole lines: zero-based, half open, in the text that was given, counted as `text.split(/\r?\n/)`
 * counts.
 */
export interface LineEdit {
  readonly startLine: number;
  readonly endLine: number;
  readonly lines: readonly string[];
}

export interface HunkConflict {
  readonly hunk: string;
  /** Zero-based line of the present text. */
  readonly line: number;
  readonly message: string;
}

export interface HunkDecision {
  /** The text that the proposal was made from. */
  readonly base: string;
  /** All hunks of the file, whatever was decided on them. */
  readonly hunks: readonly StoredHunk[];
  /** Hunks that were accepted before this decision. */
  readonly accepted: ReadonlySet<string>;
  /** Hunks that are decided now. */
  readonly decided: ReadonlySet<string>;
  /** `proposed` puts them in, `base` takes them out again. */
  readonly to: "proposed" | "base";
  /** The text as the editor has it now, with the user's own edits. */
  readonly present: string;
}

export interface HunkEdits {
  /** From top to bottom, never overlapping. */
  readonly edits: readonly LineEdit[];
  /** Hunks whose lines the user has changed: nothing is done for those. */
  readonly conflicts: readonly HunkConflict[];
}

/**
 * The differences between two texts as hunks of whole lines, from top to bottom. Line ends do not count: a
 * proposal with other line ends than the base changes no line for that. Changes that only lines without a
 * letter or digit part are one hunk: alone they make no sense. The id is the file and the one-based line, so
 * the same texts give the same ids.
 */
export function computeHunks(file: string, base: string, proposed: string): StoredHunk[] {
  const hunks: { start: number; baseLines: string[]; proposedLines: string[] }[] = [];
  let at = 0;
  let common: readonly string[] = [];
  let open = false;
  for (const part of diffArrays(splitLines(base), splitLines(proposed))) {
    const last = hunks.at(-1);
    if (!part.added && !part.removed) {
      at += part.value.length;
      common = part.value;
      open = false;
    } else {
      let hunk = last;
      if (hunk === undefined || (!open && !isBridge(common)))
        hunks.push((hunk = { start: at, baseLines: [], proposedLines: [] }));
      else if (!open) {
        hunk.baseLines.push(...common);
        hunk.proposedLines.push(...common);
      }
      open = true;
      (part.added ? hunk.proposedLines : hunk.baseLines).push(...part.value);
      if (part.removed) at += part.value.length;
    }
  }
  return hunks.map((hunk) => ({
    id: `${file}:${hunk.start + 1}`,
    file,
    baseStart: hunk.start + 1,
    baseLines: hunk.baseLines,
    proposedLines: hunk.proposedLines,
  }));
}

function isBridge(lines: readonly string[]): boolean {
  return lines.length <= 2 && lines.every((line) => !/[\p{L}\p{N}]/u.test(line));
}

/** The lines of a text without their ends; a final line end gives a last empty line. */
export function splitLines(text: string): string[] {
  return text.split(/\r?\n/);
}

/**
 * Carries a decision over to the text as it is now: a three-way merge of the base, the proposal and the
 * user's edits, one hunk at a time, so that hunks may be decided in any order. A hunk whose lines are gone or
 * altered is a conflict; one that already stands as decided needs no edit.
 */
export function applyHunks(decision: HunkDecision): HunkEdits {
  const present = splitLines(decision.present);
  const ordered = [...decision.hunks].sort((a, b) => a.baseStart - b.baseStart);
  const compositions = [
    compose(decision, ordered, (hunk) => decision.accepted.has(hunk.id)),
    compose(decision, ordered, () => false),
    compose(decision, ordered, () => true),
  ].map((composition) => ({ ...composition, alignment: align(composition.lines, present) }));
  const edits: LineEdit[] = [];
  const conflicts: HunkConflict[] = [];
  for (const hunk of ordered.filter((candidate) => decision.decided.has(candidate.id))) {
    const fromProposed = decision.to === "base";
    const found = placeIn(
      compositions.filter((composition) => composition.proposed.has(hunk.id) === fromProposed),
      hunk.id,
    );
    const target = decision.to === "proposed" ? hunk.proposedLines : hunk.baseLines;
    if (found !== undefined) edits.push({ startLine: found.start, endLine: found.end, lines: target });
    else if (
      placeIn(
        compositions.filter((composition) => composition.proposed.has(hunk.id) !== fromProposed),
        hunk.id,
      ) === undefined
    ) {
      conflicts.push({
        hunk: hunk.id,
        line: nearestLine(compositions[0], hunk.id, present.length),
        message: `Line ${hunk.baseStart} and what follows was edited since the proposal was made; this change was left out.`,
      });
    }
  }
  return {
    edits: edits.filter((edit, index) => index === 0 || edit.startLine >= (edits[index - 1]?.endLine ?? 0)),
    conflicts,
  };
}

interface Composition {
  readonly lines: readonly string[];
  /** Half-open range of each hunk in these lines. */
  readonly ranges: ReadonlyMap<string, readonly [number, number]>;
  /** Hunks that stand here with their proposed side. */
  readonly proposed: ReadonlySet<string>;
}

type AlignedComposition = Composition & { readonly alignment: Int32Array };

/** The base with some of the hunks put in. */
function compose(
  decision: HunkDecision,
  ordered: readonly StoredHunk[],
  taken: (hunk: StoredHunk) => boolean,
): Composition {
  const base = splitLines(decision.base);
  const lines: string[] = [];
  const ranges = new Map<string, readonly [number, number]>();
  const proposed = new Set<string>();
  let next = 0;
  for (const hunk of ordered) {
    lines.push(...base.slice(next, hunk.baseStart - 1));
    const start = lines.length;
    if (taken(hunk)) proposed.add(hunk.id);
    lines.push(...(taken(hunk) ? hunk.proposedLines : hunk.baseLines));
    ranges.set(hunk.id, [start, lines.length]);
    next = hunk.baseStart - 1 + hunk.baseLines.length;
  }
  lines.push(...base.slice(next));
  return { lines, ranges, proposed };
}

/** For each line of the composition its line in the present text, -1 where it is gone. */
function align(lines: readonly string[], present: readonly string[]): Int32Array {
  const alignment = new Int32Array(lines.length).fill(-1);
  let from = 0;
  let to = 0;
  for (const part of diffArrays([...lines], [...present])) {
    const length = part.value.length;
    if (part.added) to += length;
    else if (part.removed) from += length;
    else for (let index = 0; index < length; index += 1) alignment[from++] = to++;
  }
  return alignment;
}

function placeIn(
  compositions: readonly AlignedComposition[],
  id: string,
): { start: number; end: number } | undefined {
  for (const { ranges, alignment } of compositions) {
    const [start, end] = ranges.get(id) ?? [0, 0];
    const found = contiguous(alignment, start, end);
    if (found !== undefined) return { start: found, end: found + end - start };
  }
  return undefined;
}

/**
 * Where the lines [start, end) stand when all of them are there side by side. For an insertion, which has no
 * lines, both neighbours must still be neighbours; a neighbour outside of the text is the text's own end.
 */
function contiguous(alignment: Int32Array, start: number, end: number): number | undefined {
  if (start === end) {
    const before = start === 0 ? -1 : (alignment[start - 1] ?? -1);
    const after = end < alignment.length ? (alignment[end] ?? -1) : before + 1;
    return after === before + 1 && (start === 0 || before >= 0) ? after : undefined;
  }
  const first = alignment[start] ?? -1;
  for (let index = start; index < end; index += 1)
    if (alignment[index] !== first + index - start) return undefined;
  return first < 0 ? undefined : first;
}

function nearestLine(composition: AlignedComposition | undefined, id: string, lines: number): number {
  const [start] = composition?.ranges.get(id) ?? [0];
  for (let index = start; index >= 0; index -= 1) {
    const line = composition?.alignment[index] ?? -1;
    if (line >= 0) return Math.min(line, lines - 1);
  }
  return 0;
}

/**
 * Applies edits to a text. Untouched lines keep their own ends, new ones get the end that most lines have; a
 * last line has none.
 */
export function applyEdits(text: string, edits: readonly LineEdit[]): string {
  const windowsEnds = text.split("\r\n").length - 1;
  const usual = windowsEnds * 2 > text.split("\n").length - 1 ? "\r\n" : "\n";
  const parts = [...text.matchAll(/([^\n]*?)(\r?\n|$)/g)].map((match) => ({
    text: match[1] ?? "",
    end: match[2] ?? "",
  }));
  const lines = parts.slice(0, splitLines(text).length);
  for (const edit of [...edits].sort((a, b) => b.startLine - a.startLine)) {
    lines.splice(
      edit.startLine,
      edit.endLine - edit.startLine,
      ...edit.lines.map((line) => ({ text: line, end: usual })),
    );
  }
  return lines
    .map((line, index) => line.text + (index === lines.length - 1 ? "" : line.end || usual))
    .join("");
}

import type { HunkView } from "../../../server/protocol/views";
import { escapeMarkdown, fencedBlock } from "../markdown";

/** A longer hunk is cut here; the side-by-side diff shows all of it. */
const shownLines = 80;

/** The hunk as the lines of a unified diff, without its header. */
function diffLines(hunk: HunkView): readonly string[] {
  const lines = [
    ...hunk.baseLines.map((line) => `-${line}`),
    ...hunk.proposedLines.map((line) => `+${line}`),
  ];
  if (lines.length <= shownLines) return lines;
  return [...lines.slice(0, shownLines), ` … ${lines.length - shownLines} more lines: use Show Diff`];
}

export interface ThreadWords {
  readonly hypothesis: string;
  readonly verdict: string;
  readonly conflict: string | undefined;
  /** How many changes the proposal has: its verdict is that of all of them together, never of one. */
  readonly changes: number;
}

/**
 * What the thread at a hunk says: what stands in the way (if anything), the change itself, what it is for and
 * what was measured.
 */
export function threadBody(hunk: HunkView, words: ThreadWords): string {
  const scope = words.changes > 1 ? `All ${words.changes} changes together: ` : "";
  return [
    ...(words.conflict === undefined ? [] : [`$(warning) **${escapeMarkdown(words.conflict)}**`]),
    fencedBlock("diff", diffLines(hunk)),
    escapeMarkdown(words.hypothesis),
    `$(beaker) ${scope}${escapeMarkdown(words.verdict)}`,
  ].join("\n\n");
}

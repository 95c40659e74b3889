import type { Hunk } from "../../../server/core/review/hunk";
import type { Placement } from "../../../server/core/review/placement";
import { escapeMarkdown, fencedBlock } from "../markdown";

/** A longer hunk is cut here; the side-by-side diff shows all of it. */
const shownLines = 80;

/** The hunk as the lines of a unified diff, without its header. */
function diffLines(hunk: Hunk): readonly string[] {
  const lines = [
    ...hunk.baseLines.map((line) => `-${line}`),
    ...hunk.proposedLines.map((line) => `+${line}`),
  ];
  if (lines.length <= shownLines) return lines;
  return [...lines.slice(0, shownLines), ` … ${lines.length - shownLines} more lines: use Show Diff`];
}

const notes: Readonly<Record<Placement["state"], readonly string[]>> = {
  base: [],
  proposed: [
    "$(info) **This change is in the text already.** Accept records that; Reject takes it out again.",
  ],
  edited: [
    "$(warning) **You have edited these lines since the proposal was made.** Accept changes nothing while they differ.",
  ],
};

export interface ThreadWords {
  readonly hypothesis: string;
  readonly verdict: string;
  readonly state: Placement["state"];
  /** How many changes the proposal has: its verdict is that of all of them together, never of one. */
  readonly changes: number;
}

/**
 * What the thread at a hunk says: what stands in the way (if anything), the change itself, what it is for and
 * what was measured.
 */
export function threadBody(hunk: Hunk, words: ThreadWords): string {
  const scope = words.changes > 1 ? `All ${words.changes} changes together: ` : "";
  return [
    ...notes[words.state],
    fencedBlock("diff", diffLines(hunk)),
    escapeMarkdown(words.hypothesis),
    `$(beaker) ${scope}${escapeMarkdown(words.verdict)}`,
  ].join("\n\n");
}

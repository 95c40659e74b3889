import type { Hunk } from "../../../server/core/review/hunk";
import type { Placement } from "../../../server/core/review/placement";
import type { ClaimView } from "../../../server/protocol/views";
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
  /** What may be said of the changes and the text as they are now. */
  readonly claim: ClaimView;
  /** What is known about taking this change without the others; may be empty. */
  readonly group: string;
  readonly state: Placement["state"];
}

/** The icon says in one look whether the text beside it is something that was found out. */
export function claimIcon({ state, passed }: ClaimView): string {
  if (state === "checking") return "$(sync~spin)";
  if (passed === null) return "$(question)";
  return passed ? "$(beaker)" : "$(error)";
}

/**
 * What the thread at a hunk says: what stands in the way (if anything), the change itself, what it is for and
 * what was measured.
 */
export function threadBody(hunk: Hunk, words: ThreadWords): string {
  return [
    ...notes[words.state],
    fencedBlock("diff", diffLines(hunk)),
    escapeMarkdown(words.hypothesis),
    ...(words.group === "" ? [] : [`$(link) ${escapeMarkdown(words.group)}`]),
    `${claimIcon(words.claim)} ${escapeMarkdown(words.claim.text)}`,
  ].join("\n\n");
}

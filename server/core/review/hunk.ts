/**
 * One contiguous change of a proposal, in whole lines. The same value stands in the log, in the state of a
 * session, on the wire and in the editor.
 */
export interface Hunk {
  /** `FILE:LINE`, unique within the proposal. */
  readonly id: string;
  /** Workspace-relative POSIX path. */
  readonly file: string;
  /** One-based line of the base text at which the hunk begins; an insertion stands before this line. */
  readonly baseStart: number;
  readonly baseLines: readonly string[];
  readonly proposedLines: readonly string[];
}

/** A hunk together with what is known of it and what the user decided on it. */
export interface ReviewedHunk extends Hunk {
  readonly decision: "open" | "accepted" | "rejected";
  /** Ids of the hunks that it does not work without; null while that is not found out. */
  readonly needs: readonly string[] | null;
}

/** One file of a proposal, with both of its sides. */
export interface ProposedFile {
  readonly file: string;
  readonly base: string;
  readonly proposed: string;
  /** The proposal makes the file; left out where it was there. */
  readonly isNew?: true;
}

/** The hunks of one file, from top to bottom. */
export function hunksOf<Kind extends Hunk>(hunks: readonly Kind[], file: string): readonly Kind[] {
  return hunks.filter((hunk) => hunk.file === file).sort((a, b) => a.baseStart - b.baseStart);
}

import type { FoundText } from "../../../core/ports/files";

/** What is searched. */
export interface SearchedPlace {
  /** Absolute. */
  readonly root: string;
  /** Patterns of what is never read. */
  readonly hidden: readonly string[];
}

/** The part of the files that one of several threads reads: every file is in one part. */
export interface Share {
  /** From 0. */
  readonly number: number;
  readonly of: number;
}

/** What a search thread is told first. */
export interface SearchWork extends SearchedPlace {
  readonly share: Share;
}

export interface SearchQuestion {
  readonly id: number;
  readonly word: string;
  readonly suffixes: readonly string[];
}

export interface SearchAnswer {
  /** Of the question. */
  readonly id: number;
  readonly found: readonly FoundText[];
}

/** What a search thread is told: its work, and then questions. */
export type SearchMessage = SearchWork | SearchQuestion;

import type { FoundText } from "../../../core/ports/files";

/** What a search thread is started with. */
export interface SearchedPlace {
  /** Absolute. */
  readonly root: string;
  /** Patterns of what is never read. */
  readonly hidden: readonly string[];
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

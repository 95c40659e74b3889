/**
 * A tree of files: POSIX path relative to the workspace folder → whole text. Only files in scope (editable or
 * needed to build).
 */
export type SourceTree = Readonly<Record<string, string>>;

/** A text that two trees share only when they are equal. */
export function treeKey(tree: SourceTree): string {
  return JSON.stringify(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * `parsed` < `compiled` < `launched` < `correct` < `faster`; `proposed` = not parsed yet. A candidate has
 * reached exactly one.
 */
export type Stage = "proposed" | "parsed" | "compiled" | "launched" | "correct" | "faster";

export const stages: readonly Stage[] = ["proposed", "parsed", "compiled", "launched", "correct", "faster"];

export { candidateName } from "../words/names/names";

/** A tree of edited files with a parent and a hypothesis. */
export interface Candidate {
  /** `baseline`, then `c1`, `c2`, … in the order of proposing. */
  readonly id: string;
  readonly parent: string | undefined;
  readonly tree: SourceTree;
  /** One sentence: what is changed and why it should help. */
  readonly hypothesis: string;
  /** `rulebook:RULE` or `refine:MODEL`. */
  readonly origin: string;
}

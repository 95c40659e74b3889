import { type Hunk, hunksOf } from "./hunk";
import { takeHunks } from "./line-edit";

/**
 * The texts of the baseline, by path, with some hunks of a proposal. A file that the proposal adds is there
 * once one of its hunks is.
 */
export function withHunks(
  baseline: Readonly<Record<string, string>>,
  hunks: readonly Hunk[],
  taken: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const texts: Record<string, string> = { ...baseline };
  for (const file of new Set(hunks.map((hunk) => hunk.file))) {
    const own = hunksOf(hunks, file).filter((hunk) => taken.has(hunk.id));
    // A new file has no text in the baseline.
    if (own.length > 0) texts[file] = takeHunks(baseline[file] ?? "", own);
  }
  return texts;
}

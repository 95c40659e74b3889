import { last } from "../base/known";
import { fail, type Outcome, succeed } from "../base/outcome";
import { computeHunks } from "./compute-hunks";
import { applyEdits } from "./line-edit";
import { mergeHunks } from "./merge";

/** Texts by workspace-relative path. */
type Texts = Readonly<Record<string, string>>;

/** A change whose lines are no longer as they were. */
export interface CarryConflict {
  readonly file: string;
  /** One-based, in the present text; undefined where the file is gone. */
  readonly line: number | undefined;
}

/**
 * The present texts with everything that `proposed` changes of `base`, wherever its lines stand by now. What
 * stands there already is left as it is. The problem is every change whose lines were edited since.
 */
export function carryOver(
  { base, proposed }: { readonly base: Texts; readonly proposed: Texts },
  present: Texts,
): Outcome<Texts, readonly CarryConflict[]> {
  const texts: Record<string, string> = { ...present };
  const conflicts: CarryConflict[] = [];
  for (const [file, text] of Object.entries(proposed)) {
    const before = base[file];
    if (text === before) continue;
    if (before !== undefined && present[file] === undefined) {
      conflicts.push({ file, line: undefined });
      continue;
    }
    const merged = carryFile({ file, base: before ?? "", proposed: text }, present[file] ?? "");
    if (merged.ok) texts[file] = merged.value;
    else conflicts.push(...merged.problem.map((line) => ({ file, line: line + 1 })));
  }
  return conflicts.length > 0 ? fail(conflicts) : succeed(texts);
}

/** The problem is the zero-based line of each change that cannot be made. */
function carryFile(
  { file, base, proposed }: { readonly file: string; readonly base: string; readonly proposed: string },
  present: string,
): Outcome<string, readonly number[]> {
  const hunks = computeHunks({ file, base, proposed }).map((hunk) => ({
    ...hunk,
    decision: "open" as const,
    needs: null,
  }));
  const decided = new Set(hunks.map(({ id }) => id));
  const merge = mergeHunks({ base, hunks, present, decided, to: "proposed" });
  return merge.kind === "merged"
    ? succeed(applyEdits(present, merge.edits))
    : fail(merge.conflicts.map(({ line }) => line));
}

/** `k.cu:12, k.cu:40 and lib.h, which is gone`. */
export function describeConflicts(conflicts: readonly CarryConflict[]): string {
  const places = conflicts.map(({ file, line }) =>
    line === undefined ? `${file}, which is gone` : `${file}:${line}`,
  );
  const before = places.slice(0, -1).join(", ");
  return before === "" ? last(places) : `${before} and ${last(places)}`;
}

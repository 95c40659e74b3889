import { last } from "../base/known";
import { fail, type Outcome, succeed } from "../base/outcome";
import { computeHunks } from "./compute-hunks";
import { applyEdits, type FileEdit } from "./line-edit";
import { mergeHunks } from "./merge";

/** Texts by workspace-relative path. */
export type Texts = Readonly<Record<string, string>>;

/** What leads from one version of some files to another. */
interface Change {
  readonly base: Texts;
  readonly proposed: Texts;
}

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
export function carryOver(change: Change, present: Texts): Outcome<Texts, readonly CarryConflict[]> {
  const carried = carriedEdits(change, present);
  if (!carried.ok) return carried;
  const texts: Record<string, string> = { ...present };
  for (const file of new Set(carried.value.map((edit) => edit.file)))
    texts[file] = applyEdits(
      present[file] ?? "",
      carried.value.filter((edit) => edit.file === file),
    );
  return succeed(texts);
}

/**
 * The same as edits of the present texts; of a file that is added, of the empty text. One that is taken away
 * becomes empty.
 */
export function carriedEdits(
  { base, proposed }: Change,
  present: Texts,
): Outcome<readonly FileEdit[], readonly CarryConflict[]> {
  const edits: FileEdit[] = [];
  const conflicts: CarryConflict[] = [];
  for (const file of Object.keys({ ...base, ...proposed })) {
    const [before, text] = [base[file], proposed[file]];
    if (text === before || (text === undefined && present[file] === undefined)) continue;
    if (before !== undefined && present[file] === undefined) {
      conflicts.push({ file, line: undefined });
      continue;
    }
    const carried = editsOf({ file, base: before ?? "", proposed: text ?? "" }, present[file] ?? "");
    if (carried.ok) edits.push(...carried.value);
    else conflicts.push(...carried.problem);
  }
  return conflicts.length > 0 ? fail(conflicts) : succeed(edits);
}

function editsOf(
  change: { readonly file: string; readonly base: string; readonly proposed: string },
  present: string,
): Outcome<readonly FileEdit[], readonly CarryConflict[]> {
  const { file, base } = change;
  const hunks = computeHunks(change).map((hunk) => ({ ...hunk, decision: "open" as const, needs: null }));
  const decided = new Set(hunks.map(({ id }) => id));
  const merge = mergeHunks({ base, hunks, present, decided, to: "proposed" });
  return merge.kind === "merged"
    ? succeed(merge.edits.map((edit) => ({ ...edit, file })))
    : fail(merge.conflicts.map(({ line }) => ({ file, line: line + 1 })));
}

/** `k.cu:12, k.cu:40 and lib.h, which is gone`. */
export function describeConflicts(conflicts: readonly CarryConflict[]): string {
  const places = conflicts.map(({ file, line }) =>
    line === undefined ? `${file}, which is gone` : `${file}:${line}`,
  );
  const before = places.slice(0, -1).join(", ");
  return before === "" ? last(places) : `${before} and ${last(places)}`;
}

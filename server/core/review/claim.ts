import { hunksOf, type ProposedFile, type ReviewedHunk } from "./hunk";
import { applyEdits, splitLines } from "./line-edit";
import { mergeHunks } from "./merge";

/** One file of a proposal as the editor has it now. */
export interface PresentFile extends ProposedFile {
  readonly present: string;
}

/**
 * What a claim about a proposal has to be about, with the texts as they are now: the proposal itself, which
 * was checked; or a combination of it with the user's decisions and edits, which was not; or nothing, since
 * the user's edits and the proposal cannot be put together.
 */
export type ClaimSubject =
  | { readonly kind: "proposal" }
  | { readonly kind: "combination"; readonly texts: Readonly<Record<string, string>> }
  | { readonly kind: "conflict"; readonly file: string; readonly line: number };

/**
 * Once something was accepted, the claim is about the present text. Before, it is about what accepting all
 * changes would give; a hunk that was rejected is not part of that.
 */
export function claimSubject(files: readonly PresentFile[], hunks: readonly ReviewedHunk[]): ClaimSubject {
  if (files.every((file) => sameLines(file.present, file.proposed))) return { kind: "proposal" };
  if (hunks.some((hunk) => hunk.decision === "accepted"))
    return {
      kind: "combination",
      texts: Object.fromEntries(files.map((file) => [file.file, file.present])),
    };
  const isUntouched = hunks.every((hunk) => hunk.decision === "open");
  if (isUntouched && files.every((file) => sameLines(file.present, file.base))) return { kind: "proposal" };
  return withAllOpen(files, hunks);
}

function withAllOpen(files: readonly PresentFile[], hunks: readonly ReviewedHunk[]): ClaimSubject {
  const decided = new Set(hunks.filter((hunk) => hunk.decision === "open").map((hunk) => hunk.id));
  const texts: Record<string, string> = {};
  for (const file of files) {
    const merge = mergeHunks({ ...file, hunks: hunksOf(hunks, file.file), decided, to: "proposed" });
    const conflict = merge.kind === "conflict" ? merge.conflicts[0] : undefined;
    if (conflict !== undefined) return { kind: "conflict", file: file.file, line: conflict.line };
    texts[file.file] = merge.kind === "merged" ? applyEdits(file.present, merge.edits) : file.present;
  }
  return { kind: "combination", texts };
}

function sameLines(a: string, b: string): boolean {
  return a === b || splitLines(a).join("\n") === splitLines(b).join("\n");
}

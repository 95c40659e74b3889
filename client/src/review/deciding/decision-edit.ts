import { EndOfLine, Range, type TextDocument, Uri, WorkspaceEdit, workspace } from "vscode";
import { hunksOf } from "../../../../server/core/review/hunk";
import { type FileEdit, splitLines } from "../../../../server/core/review/line-edit";
import { type HunkConflict, mergeHunks } from "../../../../server/core/review/merge";
import type { ProposalView } from "../../../../server/protocol/views";
import { toReplacement } from "../text-edits";

/** What a decision does to the documents as they are now: all of it, or what stands in its way. */
type DecisionEdit =
  | {
      readonly kind: "edit";
      readonly edit: WorkspaceEdit;
      readonly edits: readonly FileEdit[];
      readonly documents: readonly TextDocument[];
    }
  | { readonly kind: "conflict"; readonly conflicts: readonly FileConflict[] };

export interface FileConflict extends HunkConflict {
  readonly uri: Uri;
}

/** Merges hunks of any files into the present texts of their documents. */
export async function decisionEdit(
  proposal: ProposalView,
  hunks: readonly string[],
  to: "proposed" | "base",
): Promise<DecisionEdit> {
  const decided = new Set(hunks);
  const touched = proposal.files.filter((file) =>
    proposal.hunks.some((hunk) => hunk.file === file.file && decided.has(hunk.id)),
  );
  const documents = await Promise.all(
    touched.map(async (file) => ({ file, document: await workspace.openTextDocument(Uri.parse(file.uri)) })),
  );
  // From here on nothing is awaited: the texts that are merged are the texts that are edited.
  const merges = documents.map(({ file, document }) => ({
    file,
    document,
    merge: mergeHunks({
      base: file.base,
      hunks: hunksOf(proposal.hunks, file.file),
      present: document.getText(),
      decided,
      to,
    }),
  }));
  const conflicts = merges.flatMap(({ document, merge }) =>
    merge.kind === "conflict" ? merge.conflicts.map((conflict) => ({ ...conflict, uri: document.uri })) : [],
  );
  if (conflicts.length > 0) return { kind: "conflict", conflicts };
  const edit = new WorkspaceEdit();
  const edits: FileEdit[] = [];
  for (const { file, document, merge } of merges) {
    if (merge.kind === "conflict") continue;
    for (const change of merge.edits) edits.push(putEdit(edit, document, { ...change, file: file.file }));
  }
  return { kind: "edit", edit, edits, documents: documents.map(({ document }) => document) };
}

/** Puts an edit of whole lines of a document into an edit of the workspace. */
export function putEdit(edit: WorkspaceEdit, document: TextDocument, change: FileEdit): FileEdit {
  const eol = document.eol === EndOfLine.CRLF ? "\r\n" : "\n";
  const place = toReplacement(splitLines(document.getText()), change, eol);
  edit.replace(
    document.uri,
    new Range(place.startLine, place.startCharacter, place.endLine, place.endCharacter),
    place.text,
  );
  return change;
}

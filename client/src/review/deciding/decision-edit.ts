import { EndOfLine, l10n, Range, type TextDocument, Uri, WorkspaceEdit, workspace } from "vscode";
import { hunksOf } from "../../../../server/core/review/hunk";
import { applyEdits, type FileEdit, splitLines } from "../../../../server/core/review/line-edit";
import { type HunkConflict, mergeHunks } from "../../../../server/core/review/merge";
import { linkAbove, presentDocument, putNewFile } from "../../documents/present-file";
import type { ProposalFileView, ProposalView } from "../../../../server/protocol/views";
import { toReplacement } from "../text-edits";

/** What a decision does to the documents as they are now: all of it, or what stands in its way. */
type DecisionEdit =
  | {
      readonly kind: "edit";
      readonly edit: WorkspaceEdit;
      readonly edits: readonly FileEdit[];
      readonly documents: readonly TextDocument[];
    }
  | { readonly kind: "conflict"; readonly conflicts: readonly FileConflict[] }
  /** A file cannot be made. */
  | { readonly kind: "refused"; readonly reason: string };

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
  const documents = await Promise.all(touched.map(async (file) => openedFile(file)));
  const link = documents.find((each) => each.link !== undefined);
  if (link !== undefined && to === "proposed")
    return {
      kind: "refused",
      reason: l10n.t(
        "{0} cannot be made: {1} is a link. Nothing was changed.",
        link.file.file,
        link.link ?? "",
      ),
    };
  // From here on nothing is awaited: the texts that are merged are the texts that are edited.
  const merges = documents.map(({ file, uri, document }) => ({
    ...{ file, uri, document },
    merge: mergeHunks({
      base: file.base,
      hunks: hunksOf(proposal.hunks, file.file),
      present: document?.getText() ?? "",
      decided,
      to,
    }),
  }));
  const conflicts = merges.flatMap(({ uri, merge }) =>
    merge.kind === "conflict" ? merge.conflicts.map((conflict) => ({ ...conflict, uri })) : [],
  );
  if (conflicts.length > 0) return { kind: "conflict", conflicts };
  const edit = new WorkspaceEdit();
  const edits: FileEdit[] = [];
  const edited: TextDocument[] = [];
  for (const { file, uri, document, merge } of merges) {
    if (merge.kind === "conflict" || merge.edits.length === 0) continue;
    const changes = merge.edits.map((change) => ({ ...change, file: file.file }));
    edits.push(...changes);
    const isGone = to === "base" && file.isNew === true;
    if (document === undefined) putNewFile(edit, uri, changes);
    else if (isGone && applyEdits(document.getText(), changes) === "") edit.deleteFile(uri);
    else {
      for (const change of changes) putEdit(edit, document, change);
      edited.push(document);
    }
  }
  return { kind: "edit", edit, edits, documents: edited };
}

/** A file as the editor has it: without a document where a proposal is to make it. */
interface OpenedFile {
  readonly file: ProposalFileView;
  readonly uri: Uri;
  readonly document?: TextDocument;
  /** What leads to where it is to be made, relative to the workspace folder. */
  readonly link?: string;
}

async function openedFile(file: ProposalFileView): Promise<OpenedFile> {
  const uri = Uri.parse(file.uri);
  if (file.isNew !== true) return { file, uri, document: await workspace.openTextDocument(uri) };
  const document = await presentDocument(uri);
  if (document !== undefined) return { file, uri, document };
  const link = await linkAbove(uri);
  return { file, uri, ...(link !== undefined && { link }) };
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

import { l10n, type TextDocument, Uri, window, workspace, WorkspaceEdit } from "vscode";
import { describeConflicts } from "../../../server/core/review/carry-over";
import { editsBackTo, type Version } from "../../../server/core/review/checkpoint";
import { hunksOf } from "../../../server/core/review/hunk";
import { applyEdits } from "../../../server/core/review/line-edit";
import { placeHunks } from "../../../server/core/review/placement";
import type { CheckpointsView, ProposalView } from "../../../server/protocol/views";
import { presentDocument, putNewFile } from "../documents/present-file";
import { warnWhenNotKept } from "../documents/on-disk";
import { tellFailure } from "../messages";
import { reveal } from "../review/conflict-message";
import { putEdit } from "../review/deciding/decision-edit";

/** A file of the session with its document; undefined where it is gone. */
interface OpenFile {
  readonly file: string;
  readonly uri: Uri;
  readonly document: TextDocument | undefined;
}

/** The files of the session as the editor has them now. */
export async function openFiles({ files }: CheckpointsView): Promise<readonly OpenFile[]> {
  return Promise.all(
    files.map(async ({ file, uri }) => {
      const address = Uri.parse(uri);
      const document = await presentDocument(address).catch(() => undefined);
      return { file, uri: address, document };
    }),
  );
}

/** The present text of each file that is there. */
export function presentTexts(files: readonly OpenFile[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    files.flatMap(({ file, document }) => (document === undefined ? [] : [[file, document.getText()]])),
  );
}

/**
 * Takes the files to a version, the user's own edits kept; one undo takes it back. True when they are there;
 * false after the user was told what is in the way.
 */
export async function restore(
  target: Version,
  versions: readonly Version[],
  files: readonly OpenFile[],
): Promise<boolean> {
  // Nothing is awaited between here and the edit: the texts that are compared are those that are edited.
  const edits = editsBackTo(target, versions, presentTexts(files));
  if (!edits.ok) {
    await tellConflicts(describeConflicts(edits.problem), files, edits.problem[0]);
    return false;
  }
  const edit = new WorkspaceEdit();
  const edited: TextDocument[] = [];
  for (const { file, uri, document } of files) {
    const changes = edits.value.filter((change) => change.file === file);
    if (changes.length === 0) continue;
    const isGone = target.texts[file] === undefined;
    if (document === undefined) putNewFile(edit, uri, changes);
    else if (isGone && applyEdits(document.getText(), changes) === "") edit.deleteFile(uri);
    else {
      for (const change of changes) putEdit(edit, document, change);
      edited.push(document);
    }
  }
  if (edits.value.length === 0) return true;
  if (await workspace.applyEdit(edit)) {
    await warnWhenNotKept(edited);
    return true;
  }
  tellFailure(l10n.t("The editor refused the change; nothing was changed. Try once more."));
  return false;
}

/** Ids of the hunks of a proposal whose new lines stand in the editor's documents. */
export async function standingHunks({ files, hunks }: ProposalView): Promise<ReadonlySet<string>> {
  const standing = new Set<string>();
  for (const { file, uri, base } of files) {
    const present = (await presentDocument(Uri.parse(uri)))?.getText() ?? "";
    for (const [id, { state }] of placeHunks({ base, hunks: hunksOf(hunks, file), present }))
      if (state === "proposed") standing.add(id);
  }
  return standing;
}

async function tellConflicts(
  places: string,
  files: readonly OpenFile[],
  first: { readonly file: string; readonly line: number | undefined } | undefined,
): Promise<void> {
  const show = l10n.t("Show");
  const document = files.find(({ file }) => file === first?.file)?.document;
  const sentence = l10n.t("Nothing was changed: your edits stand in the way at {0}.", places);
  const chosen = await window.showWarningMessage(sentence, ...(document === undefined ? [] : [show]));
  if (chosen === show && document !== undefined) await reveal(document.uri, (first?.line ?? 1) - 1);
}

import {
  Disposable,
  type FileWillRenameEvent,
  Range,
  type TextDocument,
  Uri,
  workspace,
  WorkspaceEdit,
} from "vscode";
import type { MovedSpecView } from "../../../server/protocol/spec-moves";
import type { ServerConnection } from "../server/connection";

/** Files that a kernel spec may name, and the specs themselves. */
const named = /\.(cu|cuh|cpp|py|kernel\.json)$/;

/** Kernel specs follow the files that they name, as a part of the rename: one undo takes both back. */
export function followRenames(connection: ServerConnection): Disposable {
  /** Specs that are written here: the editor asks about those, too. */
  const own = new Set<string>();
  /** Those of them that are open, and that the user was not editing. */
  const unsaved = new Set<string>();
  const edit = async ({ files }: FileWillRenameEvent): Promise<WorkspaceEdit | undefined> => {
    const asked = files.filter(
      ({ oldUri, newUri }) => named.test(oldUri.path) && !own.has(newUri.toString()),
    );
    if (asked.length === 0) return undefined;
    const specs = await connection.request("kernelwright/moveSpecs", {
      files: asked.map(({ oldUri, newUri }) => ({ oldUri: oldUri.toString(), newUri: newUri.toString() })),
    });
    if (specs.length === 0) return undefined;
    own.clear();
    unsaved.clear();
    for (const { uri, to } of specs) {
      const target = Uri.parse(to).toString();
      own.add(target);
      if (openText(uri)?.isDirty === false) unsaved.add(target);
    }
    return editFor(specs);
  };
  return Disposable.from(
    workspace.onWillRenameFiles((event) => event.waitUntil(edit(event))),
    workspace.onDidRenameFiles(() => {
      // An open text is changed without being saved, while the kernel is judged by what is on disk.
      for (const { uri, isDirty } of [...workspace.textDocuments])
        if (isDirty && unsaved.delete(uri.toString())) void workspace.save(uri);
    }),
  );
}

function openText(uri: string): TextDocument | undefined {
  const address = Uri.parse(uri).toString();
  return workspace.textDocuments.find((each) => each.uri.toString() === address);
}

function editFor(specs: readonly MovedSpecView[]): WorkspaceEdit {
  const edit = new WorkspaceEdit();
  for (const { uri, to, text } of specs) {
    const [from, target] = [Uri.parse(uri), Uri.parse(to)];
    const open = openText(uri);
    if (open === undefined) {
      // A text edit would open the file, and what closes it again would end its undo.
      edit.deleteFile(from);
      edit.createFile(target, { contents: new TextEncoder().encode(text) });
      continue;
    }
    if (uri !== to) edit.renameFile(from, target);
    edit.replace(target, new Range(0, 0, open.lineCount, 0), text);
  }
  return edit;
}

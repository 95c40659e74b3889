import { FileType, Position, type TextDocument, Uri, workspace, type WorkspaceEdit } from "vscode";
import { applyEdits, type LineEdit } from "../../../server/core/review/line-edit";

/** The document of a file; undefined where nothing is there. Rejects where it is there and is no text. */
export async function presentDocument(uri: Uri): Promise<TextDocument | undefined> {
  try {
    return await workspace.openTextDocument(uri);
  } catch (error) {
    if ((await typeAt(uri)) === undefined) return undefined;
    throw error;
  }
}

/** Puts the making of a file with its text into an edit of the workspace. */
export function putNewFile(edit: WorkspaceEdit, uri: Uri, edits: readonly LineEdit[]): void {
  edit.createFile(uri);
  edit.insert(uri, new Position(0, 0), applyEdits("", edits));
}

/**
 * The link through which the path of a file that is not there leads, relative to its workspace folder;
 * undefined without one.
 */
export async function linkAbove(uri: Uri): Promise<string | undefined> {
  const top = workspace.getWorkspaceFolder(uri)?.uri;
  if (top === undefined || !uri.path.startsWith(`${top.path}/`)) return undefined;
  const parts = uri.path.slice(top.path.length + 1).split("/");
  for (const [index] of parts.entries()) {
    const path = parts.slice(0, index + 1).join("/");
    const type = await typeAt(Uri.joinPath(top, path));
    if (type === undefined) return undefined;
    if ((type & FileType.SymbolicLink) !== 0) return path;
  }
  return undefined;
}

async function typeAt(uri: Uri): Promise<FileType | undefined> {
  try {
    return (await workspace.fs.stat(uri)).type;
  } catch {
    return undefined;
  }
}

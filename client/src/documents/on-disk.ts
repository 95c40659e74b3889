import { l10n, type TextDocument, window, workspace } from "vscode";

/**
 * Warns when an edit changed the text of a read-only file: VS Code then shows the new text but keeps the
 * document unmarked, so that nothing would ever be saved. Auto-save leaves the disk with the same text.
 */
export async function warnWhenNotKept(documents: readonly TextDocument[]): Promise<void> {
  for (const document of documents) {
    if (document.isDirty || document.isUntitled) continue;
    const bytes = await workspace.fs.readFile(document.uri);
    const saved = await workspace.decode(bytes, { encoding: document.encoding });
    if (document.isDirty || saved.replace(/^\uFEFF/, "") === document.getText()) continue;
    void window.showWarningMessage(
      l10n.t(
        "{0} is read-only: its text was changed in the editor, but cannot be saved. Make the file writable, then undo and accept again.",
        workspace.asRelativePath(document.uri),
      ),
    );
  }
}

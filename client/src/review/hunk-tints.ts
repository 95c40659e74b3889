import { Disposable, OverviewRulerLane, Range, type TextEditor, ThemeColor, window, workspace } from "vscode";
import { locateHunks } from "./locate";
import { sideOf } from "./proposal-documents";
import type { ReviewStore } from "./review-store";

/**
 * Tints the lines that an open hunk would replace, in the colours of the diff editor, and marks them in the
 * overview ruler.
 */
export class HunkTints implements Disposable {
  private readonly removed = window.createTextEditorDecorationType({
    isWholeLine: true,
    // High-contrast themes have borders where others have colours.
    borderColor: new ThemeColor("diffEditor.removedTextBorder"),
    borderStyle: "dashed",
    borderWidth: "1px",
    backgroundColor: new ThemeColor("diffEditor.removedLineBackground"),
    overviewRulerColor: new ThemeColor("editorOverviewRuler.modifiedForeground"),
    overviewRulerLane: OverviewRulerLane.Left,
  });
  private readonly subscriptions: Disposable;

  constructor(private readonly store: ReviewStore) {
    const showAll = (): void => window.visibleTextEditors.forEach((editor) => this.show(editor));
    this.subscriptions = Disposable.from(
      this.removed,
      store.onDidChange(showAll),
      window.onDidChangeVisibleTextEditors(showAll),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (store.forFile(document.uri).length > 0)
          window.visibleTextEditors
            .filter((editor) => editor.document === document)
            .forEach((editor) => this.show(editor));
      }),
    );
  }

  private show(editor: TextEditor): void {
    // The diff editor has colours of its own; of its sides VS Code says no column.
    if (sideOf(editor.document.uri) !== undefined || editor.viewColumn === undefined) return;
    const hunks = locateHunks(this.store, editor.document).filter(
      ({ hunk, placement }) =>
        hunk.decision === "open" && placement.state === "base" && placement.end > placement.start,
    );
    editor.setDecorations(
      this.removed,
      hunks.map(({ placement }) => new Range(placement.start, 0, placement.end - 1, 0)),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

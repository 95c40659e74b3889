import {
  type DecorationOptions,
  Disposable,
  l10n,
  OverviewRulerLane,
  Position,
  Range,
  type TextDocument,
  type TextEditor,
  ThemeColor,
  window,
  workspace,
} from "vscode";
import { type LocatedHunk, locateHunks } from "./locate";
import { type NewLine, newLines, replacedRows } from "./new-lines";
import { sideOf } from "./proposal-documents";
import type { ReviewStore } from "./review-store";

/**
 * Tints the lines that an open hunk would replace, in the colours of the diff editor, writes what would stand
 * there behind them, and marks them in the overview ruler.
 */
export class HunkTints implements Disposable {
  private readonly removed = window.createTextEditorDecorationType({
    // High-contrast themes have borders where others have colours.
    borderColor: new ThemeColor("diffEditor.removedTextBorder"),
    borderStyle: "dashed",
    borderWidth: "1px",
    backgroundColor: new ThemeColor("diffEditor.removedLineBackground"),
    overviewRulerColor: new ThemeColor("editorOverviewRuler.modifiedForeground"),
    overviewRulerLane: OverviewRulerLane.Left,
  });
  private readonly added = window.createTextEditorDecorationType({
    after: {
      margin: "0 0 0 2em",
      backgroundColor: new ThemeColor("diffEditor.insertedLineBackground"),
      border: "1px dashed",
      borderColor: new ThemeColor("diffEditor.insertedTextBorder"),
    },
  });
  private readonly subscriptions: Disposable;

  constructor(private readonly store: ReviewStore) {
    const showAll = (): void => window.visibleTextEditors.forEach((editor) => this.show(editor));
    this.subscriptions = Disposable.from(
      this.removed,
      this.added,
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
    const { document } = editor;
    const hunks = locateHunks(this.store, document).filter(
      ({ hunk, placement }) => hunk.decision === "open" && placement.state === "base",
    );
    editor.setDecorations(
      this.removed,
      hunks.flatMap(({ hunk, placement }) =>
        replacedRows(hunk).map((row) => wholeLine(document, placement.start + row)),
      ),
    );
    editor.setDecorations(
      this.added,
      hunks.flatMap((located) => {
        const above = document.lineAt(Math.max(0, located.placement.start - 1)).text;
        return newLines(located.hunk, above).map((line) => behindLine(document, located, line));
      }),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

function behindLine(
  document: TextDocument,
  { placement }: LocatedHunk,
  { row, text, more }: NewLine,
): DecorationOptions {
  // What is inserted above the first line stands beside it.
  const { range } = document.lineAt(Math.max(0, placement.start + row));
  const follows = more === 1 ? l10n.t("… and 1 more line") : l10n.t("… and {0} more lines", more);
  const contentText = [text, ...(more === 0 ? [] : [follows])].filter((part) => part !== "").join("  ");
  return {
    range: new Range(range.end, range.end),
    renderOptions: { after: { contentText: ` + ${contentText} ` } },
  };
}

/** To the end of its text, so that the place behind it keeps its own colour. */
function wholeLine(document: TextDocument, line: number): Range {
  return new Range(new Position(line, 0), document.lineAt(line).range.end);
}

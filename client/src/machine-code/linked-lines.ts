import {
  Disposable,
  OverviewRulerLane,
  Range,
  type TextDocument,
  type TextEditor,
  type TextEditorDecorationType,
  TextEditorRevealType,
  ThemeColor,
  window,
  workspace,
} from "vscode";
import { isBoundTo } from "../documents/bound-text";
import { addressOf } from "../review/review-store";
import { linesByColour, linesFrom, sourcesOf } from "./links";
import type { MachineCodeDocuments, ShownListing } from "./machine-code-documents";

/** Of the bars beside lines that have code. */
const colours = [
  "charts.blue",
  "charts.orange",
  "charts.green",
  "charts.purple",
  "charts.red",
  "charts.yellow",
];

/**
 * Ties lines of a source to those of its listings: bars of the same colour beside both, and the lines that
 * belong to the cursor's are marked and brought into view.
 */
export class LinkedLines implements Disposable {
  private readonly bars = colours.map((color) => barOf(color));
  private readonly marked = window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor("kernelwright.linkedLineBackground"),
    overviewRulerColor: new ThemeColor("charts.blue"),
    overviewRulerLane: OverviewRulerLane.Full,
  });
  private readonly subscriptions: Disposable;
  /** Lines of a source that the cursor stands on, there or in a listing. */
  private pointed: { readonly source: string; readonly lines: ReadonlySet<number> } | undefined;

  constructor(private readonly documents: MachineCodeDocuments) {
    const draw = (): void => this.draw();
    this.subscriptions = Disposable.from(
      this.marked,
      ...this.bars,
      documents.onDidList(draw),
      window.onDidChangeVisibleTextEditors(draw),
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.point(textEditor)),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (this.shown().some(({ source }) => source === addressOf(document.uri))) draw();
      }),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Listings that stand in an editor, with the source beside them as it was compiled. */
  private shown(): readonly (ShownListing & { readonly editor: TextEditor })[] {
    return window.visibleTextEditors.flatMap((editor) => {
      const listing = this.documents.listingOf(editor.document.uri);
      return listing === undefined ? [] : [{ ...listing, editor }];
    });
  }

  private point(editor: TextEditor): void {
    const shown = this.shown();
    if (shown.length === 0 || editor !== window.activeTextEditor) return;
    const line = editor.selection.active.line + 1;
    const own = shown.find((each) => each.editor === editor);
    const source = own?.source ?? addressOf(editor.document.uri);
    if (!shown.some((each) => each.source === source)) return;
    this.pointed = { source, lines: own === undefined ? new Set([line]) : sourcesOf(own.listing, line) };
    this.draw();
    this.reveal(editor);
  }

  private draw(): void {
    const shown = this.shown();
    for (const editor of window.visibleTextEditors) {
      const own = shown.find((each) => each.editor === editor);
      const made = own ?? shown.find(({ source }) => source === addressOf(editor.document.uri));
      this.drawOn(editor, own === undefined ? "source" : "listing", made);
    }
  }

  private drawOn(editor: TextEditor, side: "source" | "listing", made: ShownListing | undefined): void {
    const fresh = made !== undefined && this.isFresh(made);
    const groups = fresh ? linesByColour(made.listing, this.bars.length) : [];
    this.bars.forEach((bar, colour) => {
      const group = groups[colour];
      const lines = (side === "source" ? group?.sources : group?.listed) ?? [];
      editor.setDecorations(bar, rangesOf(editor.document, lines));
    });
    editor.setDecorations(this.marked, rangesOf(editor.document, fresh ? this.markedLines(made, side) : []));
  }

  private markedLines({ source, listing }: ShownListing, side: "source" | "listing"): readonly number[] {
    if (this.pointed?.source !== source) return [];
    const listed = linesFrom(listing, this.pointed.lines);
    return side === "listing" || listed.length === 0 ? listed : [...this.pointed.lines];
  }

  /** Brings the first marked line into view everywhere but where the cursor is. */
  private reveal(active: TextEditor): void {
    for (const made of this.shown()) {
      if (made.source !== this.pointed?.source || !this.isFresh(made)) continue;
      const sources = window.visibleTextEditors.filter(
        ({ document }) => addressOf(document.uri) === made.source,
      );
      for (const [editor, side] of [
        [made.editor, "listing"],
        ...sources.map((each) => [each, "source"] as const),
      ] as const) {
        const [range] = rangesOf(editor.document, this.markedLines(made, side));
        if (editor !== active && range !== undefined)
          editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
      }
    }
  }

  /** Lines of an edited source are no longer those that were compiled. */
  private isFresh({ source, code }: ShownListing): boolean {
    const document = workspace.textDocuments.find(({ uri }) => addressOf(uri) === source);
    return document !== undefined && isBoundTo(code, document);
  }
}

function barOf(color: string): TextEditorDecorationType {
  return window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new ThemeColor(color),
    borderStyle: "solid",
    borderWidth: "0 0 0 3px",
  });
}

/** Neighbouring lines become one range. */
function rangesOf({ lineCount }: TextDocument, lines: readonly number[]): readonly Range[] {
  const ranges: Range[] = [];
  for (const line of lines) {
    if (line > lineCount) continue;
    const before = ranges.at(-1);
    if (before?.end.line === line - 2)
      ranges[ranges.length - 1] = new Range(before.start.line, 0, line - 1, 0);
    else ranges.push(new Range(line - 1, 0, line - 1, 0));
  }
  return ranges;
}

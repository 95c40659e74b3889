import {
  type DecorationOptions,
  Disposable,
  MarkdownString,
  Range,
  type TextDocument,
  type TextEditor,
  ThemeColor,
  Uri,
  window,
  workspace,
} from "vscode";
import type { FactsView, LineFactsView } from "../../../server/protocol/views";
import { isBoundTo } from "../documents/bound-text";
import { escapeMarkdown } from "../markdown";
import type { ServerConnection } from "../server/connection";

/**
 * Profiler facts as dim text at the ends of lines, with every counter in the hover. They are bound to the
 * text they were measured on: while the document differs from it they are not shown, and they come back when
 * the text does.
 */
export class LineFacts implements Disposable {
  private readonly facts = new Map<string, FactsView>();
  private readonly quiet = window.createTextEditorDecorationType({
    after: { color: new ThemeColor("kernelwright.factForeground"), margin: "0 0 0 3em" },
  });
  private readonly fault = window.createTextEditorDecorationType({
    after: { color: new ThemeColor("kernelwright.faultForeground"), margin: "0 0 0 3em" },
  });
  private readonly subscriptions: Disposable;

  constructor(connection: ServerConnection) {
    this.subscriptions = Disposable.from(
      this.quiet,
      this.fault,
      connection.onNotification("kernelwright/facts", (facts) => this.put(facts)),
      window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.show(editor))),
      workspace.onDidChangeTextDocument(({ document }) => this.showDocument(document)),
    );
  }

  /** The newest facts of a file replace those before. */
  put(facts: FactsView): void {
    const address = Uri.parse(facts.uri).toString();
    this.facts.set(address, facts);
    window.visibleTextEditors
      .filter((editor) => editor.document.uri.toString() === address)
      .forEach((editor) => this.show(editor));
  }

  /** Takes all facts off the screen until something is profiled again. */
  clear(): void {
    this.facts.clear();
    window.visibleTextEditors.forEach((editor) => this.show(editor));
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private showDocument(document: TextDocument): void {
    if (!this.facts.has(document.uri.toString())) return;
    window.visibleTextEditors
      .filter((editor) => editor.document === document)
      .forEach((editor) => this.show(editor));
  }

  private show(editor: TextEditor): void {
    const { document } = editor;
    const facts = this.facts.get(document.uri.toString());
    const fresh = facts !== undefined && isBoundTo(facts, document);
    const lines = fresh ? facts.lines.filter(({ line }) => line >= 1 && line <= document.lineCount) : [];
    const options = (wanted: readonly LineFactsView[]): DecorationOptions[] =>
      wanted.map((line) => decoration(document, line, facts?.origin ?? ""));
    editor.setDecorations(this.fault, options(lines.filter(({ kind }) => kind === "fault")));
    editor.setDecorations(this.quiet, options(lines.filter(({ kind }) => kind === "plain")));
  }
}

function decoration(
  document: TextDocument,
  { line, text, detail }: LineFactsView,
  origin: string,
): DecorationOptions {
  const { range } = document.lineAt(line - 1);
  return {
    range: new Range(range.start, range.end),
    hoverMessage: new MarkdownString(`${detail}\n\n${escapeMarkdown(origin)}`),
    renderOptions: { after: { contentText: text } },
  };
}

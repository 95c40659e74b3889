import {
  l10n,
  type QuickPickItem,
  Range,
  Selection,
  type TextEditor,
  TextEditorRevealType,
  ThemeIcon,
  window,
} from "vscode";
import type { LineFactsView } from "../../../../server/protocol/views";
import { complain } from "../arguments";
import type { Command } from "../command";

interface FactItem extends QuickPickItem {
  readonly fact: LineFactsView;
}

/** The facts of all lines of the file, by cost or by line; the line of the chosen row is shown meanwhile. */
export const listFacts: Command = {
  id: "kernelwright.listFacts",
  run: ({ facts: known }) => {
    const editor = window.activeTextEditor;
    const present = editor && known.of(editor.document.uri);
    if (editor === undefined || present === undefined || present.lines.length === 0) {
      complain(l10n.t("Nothing is known of the lines of this file yet: profile a kernel of it first."));
      return Promise.resolve();
    }
    choose(editor, present.lines);
    return Promise.resolve();
  },
};

const byCost = (a: LineFactsView, b: LineFactsView): number => b.share - a.share || a.line - b.line;
const byLine = (a: LineFactsView, b: LineFactsView): number => a.line - b.line;

function choose(editor: TextEditor, facts: readonly LineFactsView[]): void {
  const before = editor.selection;
  const list = window.createQuickPick<FactItem>();
  const button = { iconPath: new ThemeIcon("list-ordered"), tooltip: l10n.t("Sort by cost or by line") };
  let order = byCost;
  const fill = (): void => {
    list.items = [...facts].sort(order).map((fact) => itemOf(editor, fact));
  };
  list.placeholder = l10n.t("Lines by their share of the modelled cost");
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.buttons = [button];
  list.onDidTriggerButton(() => {
    order = order === byCost ? byLine : byCost;
    fill();
  });
  let chosen = false;
  list.onDidChangeActive(([item]) => item && reveal(editor, item.fact.line));
  list.onDidAccept(() => {
    chosen = true;
    list.hide();
  });
  list.onDidHide(() => {
    if (!chosen) editor.selection = before;
    list.dispose();
  });
  fill();
  list.show();
}

function itemOf({ document }: TextEditor, fact: LineFactsView): FactItem {
  const source = fact.line <= document.lineCount ? document.lineAt(fact.line - 1).text.trim() : "";
  return {
    label: l10n.t("{0}% · line {1}", Math.round(fact.share * 100), fact.line),
    description: fact.text,
    detail: source,
    fact,
  };
}

function reveal(editor: TextEditor, line: number): void {
  editor.selection = new Selection(line - 1, 0, line - 1, 0);
  editor.revealRange(new Range(line - 1, 0, line - 1, 0), TextEditorRevealType.InCenterIfOutsideViewport);
}

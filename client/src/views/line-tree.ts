import { posix } from "node:path";
import {
  commands,
  Disposable,
  EventEmitter,
  l10n,
  MarkdownString,
  Range,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  Uri,
  window,
  workspace,
} from "vscode";
import { withoutShare } from "../facts/fitted-text";
import type { LineFactsView } from "../../../server/protocol/views";
import type { FactsStore } from "../facts/facts-store";
import { type Tone, toneOf } from "../facts/heat";

const colors: Readonly<Record<Tone, string>> = {
  quiet: "kernelwright.factForeground",
  warm: "kernelwright.faultForeground",
  hot: "kernelwright.hotForeground",
};

const byCost = (a: LineFactsView, b: LineFactsView): number => b.share - a.share || a.line - b.line;
const byLine = (a: LineFactsView, b: LineFactsView): number => a.line - b.line;

/** What was counted of the lines of a file; it stays while others are looked at. A click goes to a line. */
export class LineTree implements TreeDataProvider<LineFactsView>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  private readonly view: TreeView<LineFactsView>;
  private readonly subscriptions: Disposable;
  private order = byCost;
  /** The file whose lines are listed. */
  private file: Uri | undefined;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly store: FactsStore) {
    this.view = window.createTreeView("kernelwright.lines", { treeDataProvider: this });
    this.subscriptions = Disposable.from(
      this.view,
      this.changed,
      store.onDidChange((address) => this.take(Uri.parse(address))),
      window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined && this.linesOf(editor.document.uri).length > 0)
          this.take(editor.document.uri);
      }),
    );
  }

  /** The file whose lines are listed, when anything is known of them. */
  get shown(): Uri | undefined {
    return this.file !== undefined && this.linesOf(this.file).length > 0 ? this.file : undefined;
  }

  /** By cost, the hottest first, or in the order of the file: each time the other. */
  toggleOrder(): void {
    this.order = this.order === byCost ? byLine : byCost;
    this.draw();
  }

  getTreeItem(fact: LineFactsView): TreeItem {
    const percent = l10n.t("{0}% · line {1}", Math.round(fact.share * 100), fact.line);
    const item = new TreeItem(percent, TreeItemCollapsibleState.None);
    const start = new Range(fact.line - 1, 0, fact.line - 1, 0);
    item.id = `${this.file?.toString()}#${fact.line}`;
    // The share stands before it.
    item.description = withoutShare(fact.text);
    item.iconPath = new ThemeIcon("circle-filled", new ThemeColor(colors[toneOf(fact)]));
    item.tooltip = new MarkdownString(fact.detail);
    item.command = {
      command: "vscode.open",
      title: l10n.t("Go to Line"),
      arguments: [this.file, { selection: start, preserveFocus: true }],
    };
    item.accessibilityInformation = { label: `${percent}: ${fact.text}` };
    return item;
  }

  getChildren(fact?: LineFactsView): LineFactsView[] {
    if (fact !== undefined || this.file === undefined) return [];
    return [...this.linesOf(this.file)].sort(this.order);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private linesOf(file: Uri): readonly LineFactsView[] {
    return this.store.of(file)?.lines ?? [];
  }

  /** Lists a file: the one that was counted last, or that the user looks at. */
  private take(file: Uri): void {
    this.file = file;
    this.draw();
  }

  private draw(): void {
    const { file } = this;
    const present = file && this.store.of(file);
    const isStale = present?.isStale === true;
    this.view.description = file === undefined ? "" : nameOf(file);
    this.view.message = isStale ? l10n.t("Counted before your edits.") : undefined;
    void commands.executeCommand("setContext", "kernelwright.hasFacts", present !== undefined);
    this.changed.fire(undefined);
  }
}

/** By its place in the workspace; outside of it by its name alone, which fits the row. */
function nameOf(file: Uri): string {
  return workspace.getWorkspaceFolder(file) === undefined
    ? posix.basename(file.path)
    : workspace.asRelativePath(file);
}

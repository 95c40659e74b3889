import {
  commands,
  Disposable,
  EventEmitter,
  type TreeDataProvider,
  TreeItemCollapsibleState,
  type TreeItem,
  window,
  type TreeView,
} from "vscode";
import type { LastingCommands } from "../lasting-commands";
import type { SessionStore } from "../sessions/session-store";
import { runDescription } from "../sessions/session-words";
import { candidateItem, candidateNodes, type Node, sessionItem, sessionNode } from "./nodes";

/** Between two drawings of the rows. */
const restMilliseconds = 500;
/** The time that a run has taken is brought up to date this often. */
const timeMilliseconds = 10_000;

/** Runs of this window with their candidates, live: each candidate stands below its parent. */
export class RunTree implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  private readonly view: TreeView<Node>;
  private readonly subscriptions: Disposable;
  private timer: NodeJS.Timeout | undefined;
  private drawn = "";
  /** Whether there was no run when that was told last. */
  private isEmpty: boolean | undefined;
  /** Ends the view's bar; undefined where there is none. */
  private rest: (() => void) | undefined;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly store: SessionStore,
    private readonly commands: LastingCommands,
  ) {
    this.view = window.createTreeView("kernelwright.runs", { treeDataProvider: this, showCollapseAll: true });
    this.subscriptions = Disposable.from(
      this.view,
      this.changed,
      store.onDidChange(() => this.touch()),
      { dispose: () => clearTimeout(this.timer) },
    );
  }

  getTreeItem(node: Node): TreeItem {
    return node.kind === "candidate"
      ? candidateItem(node, this.commands)
      : sessionItem(node.session, TreeItemCollapsibleState.Expanded, {
          description: runDescription(node.session, Date.now()),
          start: this.store.startOf(node.session.sessionId),
        });
  }

  getChildren(node?: Node): readonly Node[] & Node[] {
    if (node === undefined) {
      this.tellEmpty();
      return this.store.ofThisWindow().map(sessionNode);
    }
    return [...candidateNodes(node.session, node.kind === "candidate" ? node.candidate.id : undefined)];
  }

  getParent(node: Node): Node | undefined {
    if (node.kind === "session") return undefined;
    const parent = node.session.candidates.find((candidate) => candidate.id === node.candidate.parent);
    return parent === undefined ? sessionNode(node.session) : { ...node, candidate: parent };
  }

  /** Brings the run into view without taking the keyboard from the editor. */
  async show(sessionId: string): Promise<void> {
    const session = this.store.get(sessionId);
    // The editor reveals only rows that it has asked for.
    clearTimeout(this.timer);
    this.draw();
    if (session !== undefined)
      await this.view.reveal(sessionNode(session), { focus: false, select: false, expand: true });
  }

  /** Whether the view may say that nothing has run: at once, while its rows are drawn a moment later. */
  private tellEmpty(): void {
    const isEmpty = this.store.ofThisWindow().length === 0;
    if (isEmpty === this.isEmpty) return;
    this.isEmpty = isEmpty;
    void commands.executeCommand("setContext", "kernelwright.noRuns", isEmpty);
  }

  /** Draws the rows anew at a bearable rate, and now and then while anything runs, since its time goes on. */
  private touch(): void {
    this.tellEmpty();
    this.timer ??= setTimeout(() => this.draw(), this.drawn === "" ? 0 : restMilliseconds);
  }

  /** A click on a row that is just drawn anew is lost: rows that would look the same stay. */
  private draw(): void {
    this.timer = undefined;
    const isRunning = this.store.running().length > 0;
    const time = isRunning ? Math.floor(Date.now() / timeMilliseconds) : 0;
    const looks = JSON.stringify([time, this.store.ofThisWindow()]);
    if (looks !== this.drawn) this.changed.fire(undefined);
    this.drawn = looks;
    if (isRunning) this.touch();
    this.showWork(isRunning);
  }

  /** The view has a bar that moves while anything runs. */
  private showWork(isRunning: boolean): void {
    if (!isRunning) {
      this.rest?.();
      this.rest = undefined;
      return;
    }
    if (this.rest !== undefined) return;
    const ended = new Promise<void>((resolve) => {
      this.rest = resolve;
    });
    void window.withProgress({ location: { viewId: "kernelwright.runs" } }, () => ended);
  }

  dispose(): void {
    this.rest?.();
    this.subscriptions.dispose();
  }
}

import {
  Disposable,
  EventEmitter,
  type TreeDataProvider,
  TreeItemCollapsibleState,
  type TreeItem,
  window,
  type TreeView,
} from "vscode";
import type { SessionStore } from "../sessions/session-store";
import { candidateItem, candidateNodes, type Node, sessionItem, sessionNode } from "./nodes";

/** Runs of this window with their candidates, live: each candidate stands below its parent. */
export class RunTree implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  private readonly view: TreeView<Node>;
  private readonly subscriptions: Disposable;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly store: SessionStore) {
    this.view = window.createTreeView("kernelwright.runs", { treeDataProvider: this, showCollapseAll: true });
    this.subscriptions = Disposable.from(
      this.view,
      this.changed,
      store.onDidChange(() => this.changed.fire(undefined)),
    );
  }

  getTreeItem(node: Node): TreeItem {
    return node.kind === "candidate"
      ? candidateItem(node)
      : sessionItem(node.session, TreeItemCollapsibleState.Expanded, [node.session.reason]);
  }

  getChildren(node?: Node): readonly Node[] & Node[] {
    if (node === undefined) return this.store.ofThisWindow().map(sessionNode);
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
    if (session !== undefined)
      await this.view.reveal(sessionNode(session), { focus: false, select: false, expand: true });
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

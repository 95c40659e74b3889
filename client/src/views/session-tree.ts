import {
  Disposable,
  EventEmitter,
  l10n,
  type TreeDataProvider,
  type TreeItem,
  TreeItemCollapsibleState,
  window,
} from "vscode";
import type { SessionStore } from "../sessions/session-store";
import type { SessionView } from "../../../server/protocol/views";
import { candidateItem, candidateNodes, type Node, sessionItem, sessionNode } from "./nodes";

/** Where the tree gets sessions from. */
export interface SessionSource {
  /** Reads the list into the store. */
  reload(): Promise<void>;
  /** One session with its candidates, which the list leaves out. */
  whole(sessionId: string): Promise<SessionView>;
}

/**
 * Every trajectory that is kept for this workspace, newest first, with its candidates below; a click opens
 * the trajectory, or what a candidate changes.
 */
export class SessionTree implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  private readonly subscriptions: Disposable;
  private loaded: Promise<void> | undefined;
  private readonly filled: Promise<void>;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly store: SessionStore,
    private readonly source: SessionSource,
  ) {
    const view = window.createTreeView("kernelwright.sessions", { treeDataProvider: this });
    this.filled = new Promise((resolve) => {
      const listener = store.onDidChange(() => {
        listener.dispose();
        resolve();
      });
    });
    this.subscriptions = Disposable.from(
      view,
      this.changed,
      store.onDidChange(() => this.changed.fire(undefined)),
    );
  }

  getTreeItem(node: Node): TreeItem {
    if (node.kind === "candidate") return candidateItem(node);
    const { session } = node;
    const started = new Date(session.started).toLocaleTimeString(undefined, {
      hour: "2-digit",
      minute: "2-digit",
    });
    const item = sessionItem(session, TreeItemCollapsibleState.Collapsed, [session.file, started]);
    item.command = {
      command: "kernelwright.openTrajectory",
      title: l10n.t("Open Trajectory"),
      arguments: [{ sessionId: session.sessionId }],
    };
    return item;
  }

  /** The first look at the view is what reads the list (and starts the server, if nothing else has). */
  async getChildren(node?: Node): Promise<Node[]> {
    if (node?.kind === "candidate") return [...candidateNodes(node.session, node.candidate.id)];
    if (node !== undefined) return [...candidateNodes(await this.source.whole(node.sessionId), undefined)];
    this.loaded ??= this.source.reload();
    // A server that is started anew never answers what the one before it was asked; it fills the store.
    await Promise.race([this.loaded, this.filled]);
    return this.store.all().map(sessionNode);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

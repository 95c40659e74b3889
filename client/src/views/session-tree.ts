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
import { type SessionNode, sessionItem, sessionNode } from "./nodes";

/** Every trajectory that is kept for this workspace, newest first; a click opens its report. */
export class SessionTree implements TreeDataProvider<SessionNode>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  private readonly subscriptions: Disposable;
  private loaded: Promise<void> | undefined;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly store: SessionStore,
    private readonly load: () => Promise<void>,
  ) {
    const view = window.createTreeView("kernelwright.sessions", { treeDataProvider: this });
    this.subscriptions = Disposable.from(
      view,
      this.changed,
      store.onDidChange(() => this.changed.fire(undefined)),
    );
  }

  getTreeItem({ session }: SessionNode): TreeItem {
    const started = new Date(session.started).toLocaleTimeString(undefined, {
      hour: "2-digit",
      minute: "2-digit",
    });
    const item = sessionItem(session, TreeItemCollapsibleState.None, [session.file, started]);
    item.command = {
      command: "kernelwright.openReport",
      title: l10n.t("Open Report"),
      arguments: [{ sessionId: session.sessionId }],
    };
    return item;
  }

  /** The first look at the view is what reads the list (and starts the server, if nothing else has). */
  async getChildren(node?: SessionNode): Promise<SessionNode[]> {
    if (node !== undefined) return [];
    this.loaded ??= this.load();
    await this.loaded;
    return this.store.all().map(sessionNode);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

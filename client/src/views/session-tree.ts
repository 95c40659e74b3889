import {
  commands,
  Disposable,
  EventEmitter,
  l10n,
  type Memento,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  window,
} from "vscode";
import type { LastingCommands } from "../lasting-commands";
import { dateText, groupedByKernel, type KernelGroup, sessionsWith } from "../sessions/session-arrangement";
import type { SessionStore } from "../sessions/session-store";
import { sessionWord } from "../sessions/session-words";
import type { SessionView } from "../../../server/protocol/views";
import {
  candidateItem,
  candidateNodes,
  type Node,
  sessionItem,
  type SessionNode,
  sessionNode,
} from "./nodes";

/** Where the tree gets sessions from. */
interface SessionSource {
  /** Whether the list was read. */
  readonly isRead: boolean;
  /** Reads the list into the store. */
  reload(): Promise<void>;
  /** One session with its candidates, which the list leaves out. */
  whole(sessionId: string): Promise<SessionView>;
}

interface GroupNode extends KernelGroup {
  readonly kind: "group";
}

type Row = Node | GroupNode;

const groupedKey = "sessions.groupedByKernel";

/**
 * Every trajectory that is kept for this workspace, newest first, with its candidates below; a click opens
 * the trajectory, or what a candidate changes.
 */
export class SessionTree implements TreeDataProvider<Row>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  private readonly view: TreeView<Row>;
  private readonly subscriptions: Disposable;
  private loaded: Promise<void> | undefined;
  private readonly filled: Promise<void>;
  /** Words that a session must hold to be shown. */
  filter = "";
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly store: SessionStore,
    private readonly source: SessionSource,
    private readonly parts: { readonly memory: Memento; readonly commands: LastingCommands },
  ) {
    this.view = window.createTreeView<Row>("kernelwright.sessions", { treeDataProvider: this });
    this.filled = new Promise((resolve) => {
      const listener = store.onDidChange(() => {
        listener.dispose();
        resolve();
      });
    });
    this.subscriptions = Disposable.from(
      this.view,
      this.changed,
      store.onDidChange(() => this.changed.fire(undefined)),
    );
    void this.mark();
  }

  /** Shows only sessions in which every word occurs; all of them for an empty text. */
  async filterBy(words: string): Promise<void> {
    this.filter = words;
    await this.mark();
  }

  /** Puts the sessions of a kernel below a row of its own, now and in later windows. */
  async groupByKernel(grouped: boolean): Promise<void> {
    await this.parts.memory.update(groupedKey, grouped);
    await this.mark();
  }

  /** The session that is chosen in the tree. */
  chosen(): SessionNode | undefined {
    const [row] = this.view.selection;
    return row?.kind === "session" ? row : undefined;
  }

  getTreeItem(node: Row): TreeItem {
    if (node.kind === "candidate") return candidateItem(node, this.parts.commands);
    if (node.kind === "group") return groupItem(node);
    const { session } = node;
    const isNamed = session.name !== undefined;
    const place = this.isGrouped() ? [] : [session.file];
    const description = [
      sessionWord(session),
      // A narrow view cuts the end: when it was tells sessions of one kernel apart, its file does not.
      dateText(session.started, new Date()),
      ...(isNamed ? [session.kernel] : []),
      ...place,
    ].filter((part) => part !== "");
    const item = sessionItem(session, TreeItemCollapsibleState.Collapsed, {
      description: description.join(" · "),
      start: this.store.startOf(session.sessionId),
    });
    item.command = this.parts.commands.lasting({
      command: "kernelwright.openTrajectory",
      title: l10n.t("Open Trajectory"),
      arguments: [{ sessionId: session.sessionId }],
    });
    return item;
  }

  /** The first look at the view is what reads the list (and starts the server, if nothing else has). */
  async getChildren(node?: Row): Promise<Row[]> {
    if (node?.kind === "candidate") return [...candidateNodes(node.session, node.candidate.id)];
    if (node?.kind === "group") return node.sessions.map(sessionNode);
    if (node !== undefined) return [...candidateNodes(await this.source.whole(node.sessionId), undefined)];
    this.loaded ??= this.source.reload();
    // A server that is started anew never answers what the one before it was asked; it fills the store.
    await Promise.race([this.loaded, this.filled]);
    const all = this.store.all();
    const isEmpty = this.source.isRead && all.length === 0;
    void commands.executeCommand("setContext", "kernelwright.noSessions", isEmpty);
    const shown = sessionsWith(all, this.filter);
    this.view.message = this.messageFor(shown.length);
    if (!this.isGrouped()) return shown.map(sessionNode);
    return groupedByKernel(shown).map((group) => ({ kind: "group", ...group }));
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private isGrouped(): boolean {
    return this.parts.memory.get<boolean>(groupedKey) === true;
  }

  /** A filter that is forgotten would look like sessions that are gone. */
  private messageFor(shown: number): string | undefined {
    if (this.filter === "") return undefined;
    return l10n.t("{0} of {1} sessions hold “{2}”", shown, this.store.all().length, this.filter);
  }

  private async mark(): Promise<void> {
    this.changed.fire(undefined);
    await commands.executeCommand("setContext", "kernelwright.sessionsFiltered", this.filter !== "");
    await commands.executeCommand("setContext", "kernelwright.sessionsGrouped", this.isGrouped());
  }
}

function groupItem({ kernel, file, sessions }: GroupNode): TreeItem {
  const item = new TreeItem(kernel, TreeItemCollapsibleState.Expanded);
  const count = sessions.length === 1 ? l10n.t("1 session") : l10n.t("{0} sessions", sessions.length);
  item.id = `group ${file} ${kernel}`;
  item.description = `${file} · ${count}`;
  item.iconPath = new ThemeIcon("symbol-function");
  item.contextValue = "group";
  item.accessibilityInformation = { label: l10n.t("{0} in {1}: {2}", kernel, file, count) };
  return item;
}

import { Disposable, EventEmitter, l10n, type LogOutputChannel, workspace } from "vscode";
import type { WorkspaceKernelView } from "../../../server/protocol/views";
import type { ServerConnection } from "../server/connection";
import type { SessionStore } from "../sessions/session-store";

/** Several files are often saved at once, and checks come in a row. */
const restMilliseconds = 300;

/** Files that kernels and their workloads stand in. */
const watched = "**/*.{cu,cuh,py,kernel.json}";

/**
 * The kernels of the workspace as the server knows them, in its order. Nothing is looked for before somebody
 * asks; then the list follows files, checks and sessions.
 */
export class KernelStore implements Disposable {
  private kernels: Promise<readonly WorkspaceKernelView[]> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly changed = new EventEmitter<undefined>();
  /** As it was read last. */
  private last: readonly WorkspaceKernelView[] | undefined;
  private readonly subscriptions: Disposable;
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly connection: ServerConnection,
    sessions: SessionStore,
    private readonly log: LogOutputChannel,
  ) {
    const files = workspace.createFileSystemWatcher(watched);
    const stale = (): void => this.refresh();
    this.subscriptions = Disposable.from(
      this.changed,
      files,
      files.onDidCreate(stale),
      files.onDidChange(stale),
      files.onDidDelete(stale),
      sessions.onDidFinish(stale),
      connection.onNotification("kernelwright/kernelsChanged", stale),
      workspace.onDidChangeWorkspaceFolders(stale),
    );
  }

  /**
   * The list; the first call reads the workspace. A failure is logged: the list is what it was then, and the
   * next call reads it again.
   */
  all(): Promise<readonly WorkspaceKernelView[]> {
    this.kernels ??= this.read();
    return this.kernels;
  }

  /** True once the list was read: until then nobody knows whether there are kernels. */
  get isRead(): boolean {
    return this.last !== undefined;
  }

  private async read(): Promise<readonly WorkspaceKernelView[]> {
    try {
      this.last = await this.connection.request("kernelwright/workspaceKernels", {});
    } catch (error) {
      this.kernels = undefined;
      this.log.warn(l10n.t("The kernels of the workspace could not be read: {0}", String(error)));
    }
    return this.last ?? [];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
  }

  private refresh(): void {
    if (this.kernels === undefined) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.kernels = undefined;
      this.changed.fire(undefined);
    }, restMilliseconds);
  }
}

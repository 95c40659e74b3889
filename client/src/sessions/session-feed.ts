import { Disposable, l10n, type LogOutputChannel, workspace } from "vscode";
import type { SessionView } from "../../../server/protocol/views";
import type { ServerConnection } from "../server/connection";
import type { SessionStore } from "./session-store";

/** By then a server that has lost its window has ended, and what it was running shows as interrupted. */
const secondLookMilliseconds = 4_000;

/**
 * Keeps the store in step with the server: every move of a session, and the whole list whenever the server
 * (re)starts or looks elsewhere.
 */
export class SessionFeed implements Disposable {
  private readonly subscriptions: Disposable;
  private secondLook: NodeJS.Timeout | undefined;
  /** Until then nobody knows that there is no session. */
  isRead = false;

  constructor(
    private readonly connection: ServerConnection,
    private readonly store: SessionStore,
    private readonly log: LogOutputChannel,
  ) {
    this.subscriptions = Disposable.from(
      connection.onNotification("kernelwright/sessionChanged", (view) => store.update(view)),
      connection.onNotification("kernelwright/sessionsMoved", () => void this.reload()),
      connection.onDidChangeState((state) => {
        if (state !== "running") return;
        void this.reload();
        clearTimeout(this.secondLook);
        this.secondLook = setTimeout(() => void this.reload(), secondLookMilliseconds);
      }),
      // The connection, which is older, has told the server by now.
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("kernelwright.sessionsFolder") && connection.state === "running")
          void this.reload();
      }),
    );
  }

  /** Reads the list anew; a failure is logged and leaves the list as it was. */
  async reload(): Promise<void> {
    try {
      this.store.replaceAll(await this.connection.request("kernelwright/sessions", {}));
      this.isRead = true;
    } catch (error) {
      this.log.warn(l10n.t("The sessions could not be read: {0}", String(error)));
    }
  }

  /** One session with its candidates, which the list leaves out. */
  whole(sessionId: string): Promise<SessionView> {
    return this.connection.request("kernelwright/session", { sessionId });
  }

  dispose(): void {
    clearTimeout(this.secondLook);
    this.subscriptions.dispose();
  }
}

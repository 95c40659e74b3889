import {
  commands,
  type Disposable,
  l10n,
  type LogOutputChannel,
  type Memento,
  window,
  workspace,
} from "vscode";
import type { ServerConnection } from "../server/connection";
import { isResumable, isRunning, type SessionStore } from "./session-store";

const key = "kernelwright.runs";

/** How often the window says that it is there, while anything runs. */
const beatMilliseconds = 5_000;

/** A window that was away for longer was closed, not loaded anew: nobody waits for its runs. */
const awayMilliseconds = 60_000;

/** How often, and how long apart, the end of the server of the window before is waited for. */
const patience = { looks: 20, milliseconds: 1_000 } as const;

const shownMilliseconds = 10_000;

interface Kept {
  readonly sessions: readonly string[];
  /** When the window was there, in milliseconds. */
  readonly at: number;
}

interface KeptRunsParts {
  readonly connection: ServerConnection;
  readonly sessions: SessionStore;
  readonly log: LogOutputChannel;
}

/** Runs go on when the window is loaded anew: from their newest checkpoint, with what is left to spend. */
export class KeptRuns implements Disposable {
  private readonly subscription: Disposable;
  private readonly beat: NodeJS.Timeout;

  constructor(
    private readonly parts: KeptRunsParts,
    private readonly memory: Memento,
  ) {
    const kept = memory.get<Kept>(key, { sessions: [], at: 0 });
    this.subscription = parts.sessions.onDidChange(() => this.keep(0));
    this.beat = setInterval(() => this.keep(beatMilliseconds), beatMilliseconds);
    if (Date.now() - kept.at < awayMilliseconds && workspace.isTrusted) void this.goOn(kept.sessions);
  }

  /** From here on runs that end were ended with the window. */
  dispose(): void {
    clearInterval(this.beat);
    this.subscription.dispose();
  }

  private async goOn(sessions: readonly string[]): Promise<void> {
    // Until then nobody may say that nothing has run.
    const tell = (goOn: boolean): Thenable<unknown> =>
      commands.executeCommand("setContext", "kernelwright.runsGoOn", goOn);
    void tell(sessions.length > 0);
    for (const sessionId of sessions)
      await this.goOnWith(sessionId).catch((error: unknown) =>
        this.parts.log.info(`run ${sessionId} does not go on: ${String(error)}`),
      );
    void tell(false);
  }

  private async goOnWith(sessionId: string): Promise<void> {
    const { connection, sessions } = this.parts;
    for (let look = 0; look < patience.looks; look += 1) {
      const view = await connection.request("kernelwright/session", { sessionId });
      if (isResumable(view)) {
        if (view.status === "limit") return;
        await connection.request("kernelwright/resume", { sessionId });
        if (!sessions.isFollowed(sessionId))
          sessions.follow(await connection.request("kernelwright/session", { sessionId }));
        window.setStatusBarMessage(
          l10n.t("Optimizing {0} goes on where it was", view.kernel),
          shownMilliseconds,
        );
        return;
      }
      if (!isRunning(view)) return;
      await new Promise((wake) => setTimeout(wake, patience.milliseconds));
    }
  }

  /** `age`: in milliseconds, how old what is kept has to be to be written again unchanged. */
  private keep(age: number): void {
    // One that the user has paused waits for them.
    const running = this.parts.sessions.ofThisWindow().filter((view) => isRunning(view) && !view.paused);
    const sessions = running.map(({ sessionId }) => sessionId);
    const known = this.memory.get<Kept>(key, { sessions: [], at: 0 });
    const isSame = sessions.join() === known.sessions.join();
    const isDue = sessions.length > 0 && age > 0 && Date.now() - known.at >= age;
    if (!isSame || isDue) void this.memory.update(key, { sessions, at: Date.now() } satisfies Kept);
  }
}

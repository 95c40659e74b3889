import { commands, type Disposable, l10n, type Webview, window } from "vscode";
import type { SessionView } from "../../../server/protocol/views";
import type { StepLabel, TimelineView } from "../../../server/protocol/timeline-views";
import type { CandidateSight, FromTrajectoryPage, ToTrajectoryPage } from "../../webview/common/messages";
import type { ServerConnection } from "../server/connection";
import type { SessionStore } from "../sessions/session-store";
import { askForLabel } from "./ask-for-label";

/** A running session is read again at most this often, in milliseconds. */
const followPace = 500;

export interface TrajectorySources {
  readonly connection: ServerConnection;
  readonly sessions: SessionStore;
}

const sightCommands: { readonly [Sight in CandidateSight]: string } = {
  change: "kernelwright.compareWithParent",
  file: "kernelwright.openCandidateSource",
  performance: "kernelwright.showCandidatePerformance",
};

/**
 * One open page of a session's trajectory: answers what the page asks, and brings what a running session
 * adds.
 */
export class TrajectoryPage implements Disposable {
  private readonly subscriptions: readonly Disposable[];
  /** The last event that the page has. */
  private last = 0;
  private labels: readonly StepLabel[] = [];
  private reading = false;
  /** The session as it was when the page was last brought up to date. */
  private seen: SessionView | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly webview: Webview,
    private readonly sessionId: string,
    private readonly sources: TrajectorySources,
  ) {
    this.subscriptions = [
      webview.onDidReceiveMessage((message: FromTrajectoryPage) => void this.answer(message)),
      sources.sessions.onDidChange(() => this.follow()),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private answer(message: FromTrajectoryPage): Promise<void> {
    return this.told(() => this.serve(message));
  }

  /** What goes wrong is said on the page. */
  private async told(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      await this.send({
        kind: "failed",
        sentence: thrown instanceof Error ? thrown.message : String(thrown),
      });
    }
  }

  private async serve(message: FromTrajectoryPage): Promise<void> {
    const { sessionId } = this;
    switch (message.kind) {
      case "ready":
        // A page that was hidden and is shown again begins anew.
        this.last = 0;
        return this.read();
      case "step": {
        const view = await this.sources.connection.request("kernelwright/step", {
          sessionId,
          seq: message.seq,
        });
        return this.send({ kind: "step", view });
      }
      case "label":
        return this.label(message.seq);
      case "open":
        await commands.executeCommand(sightCommands[message.what], {
          sessionId,
          candidate: { id: message.candidate },
        });
    }
  }

  /** Brings all events that the page does not have, a page full at a time. */
  private async read(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    try {
      let next: Promise<TimelineView> | undefined = this.rowsAfter(this.last);
      while (next !== undefined) {
        const view: TimelineView = await next;
        this.last = view.steps.at(-1)?.seq ?? this.last;
        this.labels = view.labels;
        // While the page takes these rows the server reads on.
        next = view.more ? this.rowsAfter(this.last) : undefined;
        // What goes wrong is told once it is waited for.
        next?.catch(() => undefined);
        await this.send({ kind: "timeline", view });
      }
    } finally {
      this.reading = false;
    }
  }

  private rowsAfter(after: number): Promise<TimelineView> {
    const { sessionId } = this;
    return this.sources.connection.request("kernelwright/timeline", { sessionId, after });
  }

  private follow(): void {
    if (this.last === 0 || this.timer !== undefined) return;
    const now = this.sources.sessions.get(this.sessionId);
    if (now === this.seen) return;
    this.seen = now;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.told(() => this.read());
    }, followPace);
  }

  private async label(seq: number): Promise<void> {
    const { connection } = this.sources;
    const { sessionId } = this;
    const label = await askForLabel(this.labels.find((each) => each.seq === seq));
    if (label === undefined) return;
    const { labels } = await connection.request("kernelwright/annotate", { sessionId, seq, ...label });
    this.labels = labels;
    await this.send({ kind: "labels", labels });
    if (label.tag === "" && label.note === "")
      void window.setStatusBarMessage(l10n.t("The note was removed."), 3_000);
  }

  private async send(message: ToTrajectoryPage): Promise<void> {
    await this.webview.postMessage(message);
  }
}

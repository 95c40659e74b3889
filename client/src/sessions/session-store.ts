import { type Disposable, EventEmitter } from "vscode";
import type { SessionView } from "../../../server/protocol/views";
import { listed } from "./session-arrangement";

/**
 * What the window knows of sessions: each one's newest view. The server tells; nothing is worked out here.
 */
export class SessionStore implements Disposable {
  private readonly views = new Map<string, SessionView>();
  private readonly watched = new Set<string>();
  private readonly starts = new Map<string, string>();
  private readonly changed = new EventEmitter<SessionView | undefined>();
  private readonly finished = new EventEmitter<SessionView>();
  /** The session that moved; undefined when the list was read anew. */
  readonly onDidChange = this.changed.event;
  /** A session of this window that was running has come to its end. */
  readonly onDidFinish = this.finished.event;

  /** Keeps a line about how a session of this window was started; an empty one says nothing. */
  noteStart(sessionId: string, line: string): void {
    this.starts.set(sessionId, line);
  }

  /** Empty for a session that was not started in this window. */
  startOf(sessionId: string): string {
    return this.starts.get(sessionId) ?? "";
  }

  get(sessionId: string): SessionView | undefined {
    return this.views.get(sessionId);
  }

  /** True when the session moved, or was begun, in this window. */
  isFollowed(sessionId: string): boolean {
    return this.watched.has(sessionId);
  }

  /** Newest first. */
  all(): readonly SessionView[] {
    return [...this.views.values()].sort((a, b) => Date.parse(b.started) - Date.parse(a.started));
  }

  /** Sessions that moved while this window was open, newest first. */
  ofThisWindow(): readonly SessionView[] {
    return this.all().filter((view) => this.watched.has(view.sessionId));
  }

  running(): readonly SessionView[] {
    return this.all().filter(isRunning);
  }

  /**
   * A session was begun from this window. Where a move of it has come in meanwhile, that is the newer view.
   */
  follow(view: SessionView): void {
    this.watched.add(view.sessionId);
    if (!this.views.has(view.sessionId)) this.views.set(view.sessionId, view);
    this.changed.fire(view);
  }

  /** A session moved. What tells of moves knows no names: one that was given stays. */
  update(moved: SessionView): void {
    const before = this.views.get(moved.sessionId);
    const view = before?.name === undefined ? moved : { name: before.name, ...moved };
    this.views.set(view.sessionId, view);
    this.watched.add(view.sessionId);
    this.changed.fire(view);
    if (before !== undefined && isRunning(before) && !isRunning(view)) this.finished.fire(view);
  }

  /**
   * The list as the server reads it from disk: what it does not name is gone. A move that came in meanwhile
   * is newer than its row.
   */
  replaceAll(views: readonly SessionView[]): void {
    const before = new Map(this.views);
    this.views.clear();
    for (const view of views) this.views.set(view.sessionId, listed(view, before.get(view.sessionId)));
    this.changed.fire(undefined);
    for (const view of views) {
      const earlier = before.get(view.sessionId);
      if (earlier !== undefined && isRunning(earlier) && !isRunning(view)) this.finished.fire(view);
    }
  }

  dispose(): void {
    this.changed.dispose();
    this.finished.dispose();
  }
}

export function isRunning(view: SessionView): boolean {
  return view.status === "running";
}

/** It runs, and one of its candidates has passed all checks and beats the baseline. */
export function hasBetter(view: SessionView): boolean {
  return isRunning(view) && view.candidates.some(({ id, state }) => state === "best" && id !== "baseline");
}

/** Ended before its work was done: `resume` goes on from the newest checkpoint. */
export function isResumable(view: SessionView): boolean {
  return view.status === "crashed" || view.status === "cancelled" || view.status === "limit";
}

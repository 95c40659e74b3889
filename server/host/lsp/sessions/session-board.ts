import { type SessionState, SessionReduction } from "../../../core/trajectory/reduce";
import type { SessionEvent } from "../../../core/trajectory/events";

/** A session that runs in this server. */
interface LiveSession {
  readonly controller: AbortController;
  readonly reduction: SessionReduction;
  /** Unknown until its log exists. */
  id: string | undefined;
  timer: NodeJS.Timeout | undefined;
  dirty: boolean;
}

/** How a session is begun: it gets a signal and a listener, and says its id as soon as its log exists. */
export type BeginSession = (link: {
  readonly signal: AbortSignal;
  readonly onEvent: (event: SessionEvent) => void;
}) => Promise<{ readonly sessionId: string; readonly finished: Promise<unknown> }>;

export interface SessionBoardOptions {
  /**
   * Told of a changed session, at most once in `restMilliseconds`, and always once more after its last event.
   */
  readonly changed: (sessionId: string, state: SessionState, running: boolean) => void;
  /** Told once, when a session has closed its log. */
  readonly ended: (uri: string, sessionId: string, state: SessionState) => void;
  readonly failed: (sessionId: string, thrown: unknown) => void;
  readonly restMilliseconds: number;
}

/** The sessions that run in this server: cancel, follow, and tell the client at a bearable rate. */
export class SessionBoard {
  private readonly endings = new Map<string, Promise<void>>();
  private readonly live = new Map<string, LiveSession>();

  constructor(private readonly options: SessionBoardOptions) {}

  /** Begins a session on a document and follows it. `earlier` are the events of a session that is resumed. */
  async begin(uri: string, start: BeginSession, earlier: readonly SessionEvent[] = []): Promise<string> {
    const session: LiveSession = {
      controller: new AbortController(),
      reduction: new SessionReduction(),
      id: undefined,
      timer: undefined,
      dirty: false,
    };
    for (const event of earlier) session.reduction.apply(event);
    const onEvent = (event: SessionEvent): void => {
      session.reduction.apply(event);
      session.dirty = true;
      if (session.id !== undefined) this.tell(session.id, session);
    };
    const running = await start({ signal: session.controller.signal, onEvent });
    const id = running.sessionId;
    session.id = id;
    this.live.set(id, session);
    this.tell(id, session);
    const ending = running.finished
      .then(
        () => undefined,
        (thrown: unknown) => this.options.failed(id, thrown),
      )
      .then(() => this.end(uri, id, session));
    this.endings.set(id, ending);
    void ending.finally(() => this.endings.delete(id));
    return id;
  }

  /** State of a session that runs here. */
  stateOf(sessionId: string): SessionState | undefined {
    return this.live.get(sessionId)?.reduction.state();
  }

  /** Resolves when a session that runs here has closed its log; at once for any other. */
  async ending(sessionId: string): Promise<void> {
    await this.endings.get(sessionId);
  }

  get running(): number {
    return this.live.size;
  }

  /** False when no such session runs here. */
  cancel(sessionId: string): boolean {
    const session = this.live.get(sessionId);
    session?.controller.abort();
    return session !== undefined;
  }

  /** Cancels all sessions and waits until each has closed its log. */
  async close(): Promise<void> {
    for (const session of this.live.values()) session.controller.abort();
    await Promise.all(this.endings.values());
  }

  private tell(sessionId: string, session: LiveSession): void {
    if (session.timer !== undefined) return;
    session.dirty = false;
    this.options.changed(sessionId, session.reduction.state(), true);
    session.timer = setTimeout(() => {
      session.timer = undefined;
      if (session.dirty) this.tell(sessionId, session);
    }, this.options.restMilliseconds);
  }

  private end(uri: string, sessionId: string, session: LiveSession): void {
    clearTimeout(session.timer);
    this.live.delete(sessionId);
    this.options.changed(sessionId, session.reduction.state(), false);
    this.options.ended(uri, sessionId, session.reduction.state());
  }
}

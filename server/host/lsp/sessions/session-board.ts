import type { RunningSession } from "../../services/services";
import { TalkFeed } from "./talk-feed";
import type { SessionEvent } from "../../../core/trajectory/events";

/** A session by the document that it was begun on. What its events say, the session's store knows. */
export interface BoardSession {
  readonly uri: string;
  readonly sessionId: string;
}

/** A session that runs in this server. */
interface LiveSession {
  readonly controller: AbortController;
  /** The run itself; undefined until its log exists. */
  run: SteeredRun | undefined;
  /** Unknown until its log exists. */
  id: string | undefined;
  readonly talk: TalkFeed;
  timer: NodeJS.Timeout | undefined;
  dirty: boolean;
}

/** What a session is begun with. */
export interface SessionLink {
  readonly signal: AbortSignal;
  readonly onEvent: (event: SessionEvent) => void;
  readonly onWords: (delta: string) => void;
}

/** How a session is begun: it gets a signal and a listener, and says its id as soon as its log exists. */
type BeginSession = (link: SessionLink) => Promise<
  SteeredRun & {
    readonly sessionId: string;
    readonly finished: Promise<unknown>;
  }
>;

/** What a user can do with a run. */
export type SteeredRun = Pick<RunningSession, "say" | "control">;

interface SessionBoardOptions {
  /**
   * Told of a changed session, at most once in `restMilliseconds`, and always once more after its last event.
   */
  readonly changed: (session: BoardSession, running: boolean) => void;
  /** Told what a session that somebody listens to has said since. */
  readonly says: (sessionId: string, text: string) => void;
  /** Told once, when a session has closed its log. */
  readonly ended: (session: BoardSession) => void;
  readonly failed: (sessionId: string, thrown: unknown) => void;
  readonly restMilliseconds: number;
}

/** The sessions that run in this server: cancel, follow, and tell the client at a bearable rate. */
export class SessionBoard {
  private readonly endings = new Map<string, Promise<void>>();
  private readonly live = new Map<string, LiveSession>();

  constructor(private readonly options: SessionBoardOptions) {}

  /** Begins a session on a document and follows it. `asked` gives up what is not begun yet. */
  async begin(uri: string, start: BeginSession, asked?: AbortSignal): Promise<string> {
    const session: LiveSession = {
      controller: new AbortController(),
      run: undefined,
      id: undefined,
      talk: new TalkFeed({
        says: (text) => session.id !== undefined && this.options.says(session.id, text),
        restMilliseconds: this.options.restMilliseconds,
      }),
      timer: undefined,
      dirty: false,
    };
    const onWords = (delta: string): void => session.talk.words(delta);
    const onEvent = (event: SessionEvent): void => {
      session.talk.event(event);
      session.dirty = true;
      if (session.id !== undefined) this.tell({ uri, sessionId: session.id }, session);
    };
    const giveUp = (): void => session.controller.abort();
    asked?.addEventListener("abort", giveUp);
    const running = await start({ signal: session.controller.signal, onEvent, onWords }).finally(() =>
      asked?.removeEventListener("abort", giveUp),
    );
    const id = running.sessionId;
    session.id = id;
    session.run = running;
    this.live.set(id, session);
    this.tell({ uri, sessionId: id }, session);
    const ending = running.finished
      .then(
        () => undefined,
        (thrown: unknown) => this.options.failed(id, thrown),
      )
      .then(() => this.end({ uri, sessionId: id }, session));
    this.endings.set(id, ending);
    void ending.finally(() => this.endings.delete(id));
    return id;
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

  /** True from the moment a session is told to end until it has. */
  isEnding(sessionId: string): boolean {
    return this.live.get(sessionId)?.controller.signal.aborted === true;
  }

  /**
   * Ends a session for the best version that it has found, which it proposes; false when no such session runs
   * here.
   */
  takeBest(sessionId: string): boolean {
    this.live.get(sessionId)?.run?.control.takeBest();
    return this.cancel(sessionId);
  }

  /**
   * Tells the model of a session something; false when no such session runs here. Throws `usage` where no
   * model listens.
   */
  async say(sessionId: string, text: string): Promise<boolean> {
    const session = this.live.get(sessionId);
    await session?.run?.say(text);
    return session !== undefined;
  }

  /**
   * What a session has said so far, and `says` is told the rest from now on; undefined when no such session
   * runs here.
   */
  listen(sessionId: string): string | undefined {
    return this.live.get(sessionId)?.talk.listen();
  }

  /** The hand on a session; undefined when no such session runs here. */
  control(sessionId: string): SteeredRun["control"] | undefined {
    return this.live.get(sessionId)?.run?.control;
  }

  /** Cancels all sessions and waits until each has closed its log. */
  async close(): Promise<void> {
    for (const session of this.live.values()) session.controller.abort();
    await Promise.all(this.endings.values());
  }

  private tell(which: BoardSession, session: LiveSession): void {
    if (session.timer !== undefined) return;
    session.dirty = false;
    this.options.changed(which, true);
    session.timer = setTimeout(() => {
      session.timer = undefined;
      if (session.dirty) this.tell(which, session);
    }, this.options.restMilliseconds);
  }

  private end(which: BoardSession, session: LiveSession): void {
    clearTimeout(session.timer);
    session.talk.end();
    this.live.delete(which.sessionId);
    this.options.changed(which, false);
    this.options.ended(which);
  }
}

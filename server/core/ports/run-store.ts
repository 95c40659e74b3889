import type { SourceTree } from "../judge/candidate";
import type { NewEvent, SessionEvent, StoredText } from "../trajectory/events";
import type { Lineage } from "../trajectory/proposal/lineage";
import type { PartialAcceptance } from "../trajectory/summary";
import type { CandidateRecord, SessionState } from "../trajectory/state";
import type { Annotation } from "../trajectory/timeline/annotation";
import type { Passed } from "../trajectory/timeline/passed";

/** Consecutive events, and what had passed before the first of them. */
export interface EventPage {
  readonly events: readonly SessionEvent[];
  readonly before: Passed;
}

/**
 * The events of one session as they stand in its log. None is kept in memory: each question reads those that
 * it is about. All throw OperationalError `disk-failed`.
 */
export interface LoggedEvents {
  /** How many there are. */
  readonly count: number;
  /** The one of that sequence number; undefined where there is none. */
  at(seq: number): Promise<SessionEvent | undefined>;
  /** The newest one of a kind; undefined where there is none. */
  findLast<Found extends SessionEvent>(
    isOf: (event: SessionEvent) => event is Found,
  ): Promise<Found | undefined>;
  /** Those from the one after that sequence number on, and at most a few before it, in order. */
  pagesAfter(seq: number): AsyncIterable<EventPage>;
  /** All at once: of a long session many megabytes, which nobody may hold on to. */
  all(): Promise<readonly SessionEvent[]>;
}

/**
 * The open log of one session: the single writer. Every method resolves only when what it wrote is ordered
 * after all before it.
 */
export interface SessionLog {
  readonly sessionId: string;
  /** What stands in it, and what is appended from now on. */
  readonly logged: LoggedEvents;
  /** Its candidates as they are now, in the order of their creation; what lists say of them. */
  readonly candidates: readonly CandidateRecord[];
  /**
   * Appends one event; what must be on disk before a side effect or after a billed reply is flushed before
   * this resolves.
   */
  append(event: NewEvent): Promise<SessionEvent>;
  /** Inline when short, a blob else. Secrets that the store knows are replaced before anything is written. */
  storeText(text: string, mediaType?: string): Promise<StoredText>;
  /**
   * The text behind a StoredText. Throws OperationalError `session-damaged` when a blob is missing or
   * altered.
   */
  loadText(stored: StoredText): Promise<string>;
  /** Writes the files as blobs and the snapshot event; gives the tree id. */
  snapshot(tree: SourceTree, parent: string | null): Promise<string>;
  /** Rebuilds a tree from its id. */
  loadTree(treeId: string): Promise<SourceTree>;
  /** Seals the log (session.ended was appended) and releases the lock. */
  close(): Promise<void>;
}

/** A session as its readers see it: a value that later events do not change. */
export interface SessionRecord {
  readonly logged: LoggedEvents;
  /** What the events say. */
  readonly state: SessionState;
  /** What the next event would carry as `prev`. */
  readonly head: string;
  /** Where the chain breaks, in one sentence; left out for a whole log. */
  readonly damaged?: string;
}

export interface SessionSummary {
  readonly sessionId: string;
  readonly started: string;
  /** What the user calls it; left out where they have not named it. */
  readonly name?: string;
  /** Digest of the workspace folder it was recorded in; empty when its start was never written. */
  readonly workspace: string;
  /** Where the kernel's file is now, as far as its moves were seen. */
  readonly file: string;
  readonly kernel: string;
  readonly target: string;
  readonly strategy: string;
  /** `running` = a live writer holds it; `crashed` = no end and no writer. */
  readonly status:
    | "running"
    | "crashed"
    | "damaged"
    | "succeeded"
    | "no_gain"
    | "failed"
    | "cancelled"
    | "limit";
  readonly reason: string;
  readonly best: string | null;
  /** Null when nothing of the proposal was accepted, or everything. */
  readonly partly: PartialAcceptance | null;
  readonly candidates: number;
  readonly events: number;
  /** The candidate that it goes on from; left out where it began with its baseline. */
  readonly from?: Pick<Lineage, "session" | "candidate">;
  /** Folder of the session. */
  readonly folder: string;
}

/** All sessions below one root. */
export interface RunStore {
  create(): Promise<SessionLog>;
  /**
   * Takes over a session that has no live writer, recovering what a crash left; refuses a live one
   * (`session-locked`).
   */
  reopen(sessionId: string): Promise<SessionLog>;
  /**
   * The session as it is now, without a lock. Throws `session-not-found`. Its state is made of the log once;
   * after that only when another process has written to it. `goesThrough`: all of its events will be asked
   * for, page by page; as far as there is room for them they are not read from disk again.
   */
  read(sessionId: string, goesThrough?: boolean): Promise<SessionRecord>;
  /**
   * The first events of a long log, at most so many, read by themselves; undefined where `read` gives the
   * whole as soon, or the log is not as it must be. Throws `session-not-found`.
   */
  opening(sessionId: string, most: number): Promise<readonly SessionEvent[] | undefined>;
  /** Blob content for readers. */
  loadText(stored: StoredText): Promise<string>;
  loadTree(sessionId: string, treeId: string): Promise<SourceTree>;
  /** Throws `session-not-found`. */
  summary(sessionId: string): Promise<SessionSummary>;
  /** Newest first. */
  list(): Promise<readonly SessionSummary[]>;
}

/** The store as the product's services see it: with a live view and decisions that come after the end. */
export interface SessionStore extends RunStore {
  /**
   * Gives every event of a session, those to come as well, in order and in batches, until the signal fires.
   * Takes no lock.
   */
  follow(
    sessionId: string,
    onEvents: (events: readonly SessionEvent[]) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Appends what belongs to the review of a proposal: through the log that this process has open, else by
   * opening the ended session for one more segment (no `session.resumed`: nothing runs again). Throws
   * `session-locked` when another process writes it.
   */
  append(sessionId: string, event: NewEvent): Promise<SessionEvent>;
  /** A value (an API key) that must never reach the disk. */
  learnSecret(value: string): void;
}

/** The labels that readers have put on events, by session. */
export interface Annotations {
  /** In the order of the events. Throws `session-not-found`. */
  of(sessionId: string): Promise<readonly Annotation[]>;
  /**
   * Puts a label on an event, or takes it away where tag and note are empty. Secrets in it are replaced.
   * Throws `session-not-found` and `disk-failed`.
   */
  put(sessionId: string, label: Omit<Annotation, "at">): Promise<void>;
}

/** What a user does with whole sessions, without touching what their logs say. */
export interface SessionShelf {
  /**
   * Gives a session a name of the user's, kept beside its log; an empty one takes the name away. Throws
   * `session-not-found` and `disk-failed`.
   */
  rename(sessionId: string, name: string): Promise<void>;
  /**
   * Says where the file of a session's kernel is now, beside its log. Throws `session-not-found` and
   * `disk-failed`.
   */
  place(sessionId: string, file: string): Promise<void>;
  /**
   * Removes the folder of a session. Files that sessions share by their digests stay. Throws
   * `session-not-found`, and `session-locked` while a process writes it.
   */
  remove(sessionId: string): Promise<void>;
  /**
   * Copies the log of a session from elsewhere, a file or a session's folder, under a new name. Throws
   * `file-not-found`, `file-unreadable` with the line at fault, and `disk-failed`.
   */
  bringIn(path: string): Promise<ImportedSession>;
}

/** What was brought in. */
export interface ImportedSession {
  readonly sessionId: string;
  readonly events: number;
  /** Texts that the log keeps in files beside it and that were not there. */
  readonly missingTexts: number;
}

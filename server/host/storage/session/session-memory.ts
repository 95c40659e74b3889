import type { SessionRecord } from "../../../core/ports/run-store";
import { chainStart } from "../../../core/trajectory/chain";
import type { SessionEvent } from "../../../core/trajectory/events";
import { OpenWork } from "../../../core/trajectory/recovery";
import { SessionReduction } from "../../../core/trajectory/reduce";
import type { CandidateRecord } from "../../../core/trajectory/state";
import { type EventSummary, SessionSum } from "../../../core/trajectory/summary";
import { TreeIndex } from "../../../core/trajectory/tree";
import type { StoragePorts } from "../storage-ports";
import { type LinePlace, LogPages } from "./log-pages";
import type { ReadSession, SealedSegment } from "./read-session";
import { readSession } from "./session-reader";

type MemoryPorts = ConstructorParameters<typeof LogPages>[0] & Pick<StoragePorts, "disk">;

/**
 * What is kept of one session: its state, and where its events stand on disk. Read once, then brought up to
 * date by each event that is appended here; readers, writers and the seal all work from it.
 */
export class SessionMemory {
  readonly trees = new TreeIndex();
  readonly work = new OpenWork();
  private readonly reduction = new SessionReduction();
  private readonly sum = new SessionSum();
  private readonly blobs = new Set<string>();
  private readonly pages: LogPages;
  private last: ReadSession = {
    head: chainStart,
    nextSequence: 1,
    lastSegment: 0,
    torn: undefined,
    segments: [],
  };

  /** Of a session that has no event yet. */
  constructor(ports: MemoryPorts) {
    this.pages = new LogPages(ports);
  }

  /** Reads a log. Throws `session-damaged` only for one of a newer format. */
  static async read(
    folder: string,
    ports: MemoryPorts & Pick<StoragePorts, "identity">,
  ): Promise<SessionMemory> {
    const memory = new SessionMemory(ports);
    memory.last = await readSession(folder, ports, (event, place) => {
      memory.pages.read(event, place);
      memory.learn(event);
    });
    memory.pages.endReading();
    return memory;
  }

  /** Where the log goes on. */
  get log(): ReadSession {
    return this.last;
  }

  /** Takes an event that stands on disk now; `head` is the hash of its line. */
  append(event: SessionEvent, place: LinePlace & { readonly head: string }): void {
    this.pages.take(event, place);
    this.learn(event);
    this.last = { ...this.last, head: place.head, nextSequence: event.seq + 1 };
  }

  /** Takes a segment that will not grow any more. The torn tail of the one before was moved away by then. */
  close(segment: SealedSegment, number: number): void {
    this.last = {
      ...this.last,
      torn: undefined,
      lastSegment: number,
      segments: [...this.last.segments, segment],
    };
  }

  /** The session as its readers see it; later events do not change it. */
  record(): SessionRecord {
    const { head, damaged } = this.last;
    return {
      logged: this.logged("so-far"),
      state: this.reduction.state(),
      head,
      ...(damaged === undefined ? {} : { damaged }),
    };
  }

  logged(kind: Parameters<LogPages["events"]>[0]): SessionRecord["logged"] {
    return this.pages.events(kind);
  }

  candidates(): readonly CandidateRecord[] {
    return this.reduction.candidates();
  }

  summary(): EventSummary {
    return this.sum.total();
  }

  /** Hex digits of every blob that an event refers to. */
  blobNames(): readonly string[] {
    return [...this.blobs];
  }

  /** A candidate's tree under the very text that the index of trees holds, so that it is in memory once. */
  private named(event: SessionEvent): SessionEvent {
    if (event.type !== "candidate.created") return event;
    return { ...event, data: { ...event.data, tree: this.trees.own(event.data.tree) } };
  }

  private learn(event: SessionEvent): void {
    this.reduction.apply(this.named(event));
    this.sum.apply(event);
    this.work.take(event);
    if (event.type !== "tree.snapshot") {
      for (const hex of event.blobs ?? []) this.blobs.add(hex);
      return;
    }
    this.trees.take(event.data);
    // The very texts that the index of trees holds, so that they are in memory once.
    for (const file of Object.values(event.data.files)) if (file !== null) this.blobs.add(file.blob);
  }
}

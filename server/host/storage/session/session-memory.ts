import type { SessionRecord } from "../../../core/ports/run-store";
import { chainStart } from "../../../core/trajectory/chain";
import type { SessionEvent } from "../../../core/trajectory/events";
import { SessionReduction } from "../../../core/trajectory/reduce";
import { treesOf, type WholeTree } from "../../../core/trajectory/tree";
import type { ReadSession, SealedSegment } from "./read-session";

/**
 * One session in memory: read once, then brought up to date by each event that is appended to it here.
 * Readers, writers and the seal all work from it, so that the log on disk need not be read again.
 */
export class SessionMemory {
  private readonly reduction = new SessionReduction();
  private knownTrees: { readonly count: number; readonly trees: ReadonlyMap<string, WholeTree> } | undefined;
  private last: ReadSession;
  private readonly all: SessionEvent[];

  constructor(read: ReadSession) {
    this.last = read;
    this.all = [...read.events];
    for (const event of this.all) this.reduction.apply(event);
  }

  /** Of a session that has no event yet. */
  static empty(): SessionMemory {
    return new SessionMemory({
      events: [],
      head: chainStart,
      nextSequence: 1,
      lastSegment: 0,
      torn: undefined,
      segments: [],
    });
  }

  /** What a reader of the log would get now. */
  get log(): ReadSession {
    return { ...this.last, events: this.all };
  }

  /** Takes an event that stands on disk now; `head` is the hash of its line. */
  append(event: SessionEvent, head: string): void {
    this.all.push(event);
    this.reduction.apply(event);
    this.last = { ...this.last, head, nextSequence: event.seq + 1 };
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
      events: [...this.all],
      state: this.reduction.state(),
      head,
      ...(damaged === undefined ? {} : { damaged }),
    };
  }

  trees(): ReadonlyMap<string, WholeTree> {
    if (this.knownTrees?.count !== this.all.length)
      this.knownTrees = { count: this.all.length, trees: treesOf(this.all) };
    return this.knownTrees.trees;
  }
}

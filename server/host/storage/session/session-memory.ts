import type { SessionRecord } from "../../../core/ports/run-store";
import { withSharedTexts } from "../../../core/base/shared-text";
import { restingVerdict } from "../../../core/agent/beside/resting-verdict";
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
    this.all = read.events.map(resting);
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

  /** Takes an event that stands on disk now, and gives it as it is kept; `head` is the hash of its line. */
  append(event: SessionEvent, head: string): SessionEvent {
    const kept = resting(event);
    this.all.push(kept);
    this.reduction.apply(kept);
    this.last = { ...this.last, head, nextSequence: event.seq + 1 };
    return kept;
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

/** The event in less memory: verdicts and the files that models write are most of what a session holds. */
function resting(event: SessionEvent): SessionEvent {
  if (event.type === "llm.response" || event.type === "tool.called")
    return { ...event, data: withSharedTexts(event.data) } as SessionEvent;
  if (event.type !== "candidate.staged" || !event.data.verdict) return event;
  return { ...event, data: { ...event.data, verdict: restingVerdict(event.data.verdict) } };
}

import { createHash } from "node:crypto";
import { OperationalError } from "../../server/core/base/operational-error";
import type { SourceTree } from "../../server/core/judge/candidate";
import { type CandidateRecord, SessionReduction } from "../../server/core/trajectory/reduce";
import { OpenWork, type OpenEnds } from "../../server/core/trajectory/recovery";
import { nothingPassed } from "../../server/core/trajectory/timeline/passed";
import type { LoggedEvents } from "../../server/core/ports/run-store";
import type { SessionLog } from "../../server/core/ports/run-store";
import type { NewEvent, SessionEvent, StoredText } from "../../server/core/trajectory/events";
import { readEvent } from "../../server/core/trajectory/read-event";

export const sha256 = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");

/**
 * A session's log in memory: the same promises as the one on disk, for tests of what is written rather than
 * of how.
 */
export class MemorySessionLog implements SessionLog {
  readonly sessionId = "01MEMORY00000000000000000";
  readonly events: SessionEvent[] = [];
  readonly logged = loggedFrom(this.events);

  /** Events may have been taken away meanwhile, as by a crash. */
  get candidates(): readonly CandidateRecord[] {
    if (this.events.length < this.reduced.count)
      this.reduced = { count: 0, reduction: new SessionReduction() };
    const { count, reduction } = this.reduced;
    for (const event of this.events.slice(count)) reduction.apply(event);
    this.reduced = { count: this.events.length, reduction };
    return reduction.candidates();
  }

  /** Called before each write; what it throws is thrown by the write. */
  onWrite: (event: NewEvent) => void = () => undefined;
  private reduced = { count: 0, reduction: new SessionReduction() };
  private readonly texts = new Map<string, string>();
  private readonly trees = new Map<string, SourceTree>();

  async append(event: NewEvent): Promise<SessionEvent> {
    await Promise.resolve();
    this.onWrite(event);
    const seq = this.events.length + 1;
    const envelope = {
      v: 1,
      seq,
      id: `e${seq}`,
      ts: "2026-01-01T00:00:00.000Z",
      mono_us: seq,
      branch: "main",
      prev: "",
      ...structuredClone(event),
    };
    // As on disk: what is given back is what a reader of the log would get.
    const written = readEvent(JSON.parse(JSON.stringify(envelope)));
    if (written === undefined || written.type === "unread")
      throw new Error(
        `${event.type} cannot be read back: ${written?.data.fault ?? "its envelope is broken"}`,
      );
    this.events.push(written);
    return written;
  }

  async storeText(text: string): Promise<StoredText> {
    await Promise.resolve();
    if (text.length <= 8192) return text;
    const digest = sha256(text);
    this.texts.set(digest, text);
    return {
      $blob: `sha256:${digest}`,
      bytes: text.length,
      media_type: "text/plain",
      preview: text.slice(0, 512),
    };
  }

  async loadText(stored: StoredText): Promise<string> {
    await Promise.resolve();
    if (typeof stored === "string") return stored;
    const text = this.texts.get(stored.$blob.slice("sha256:".length));
    if (text === undefined)
      throw new OperationalError("session-damaged", { forUser: `blob ${stored.$blob} is missing` });
    return text;
  }

  async snapshot(tree: SourceTree, parent: string | null): Promise<string> {
    const id = sha256(JSON.stringify(Object.entries(tree).sort()));
    if (!this.trees.has(id))
      await this.append({
        type: "tree.snapshot",
        actor: { kind: "engine" },
        data: { tree: id, parent, files: {} },
      });
    this.trees.set(id, tree);
    return id;
  }

  async loadTree(treeId: string): Promise<SourceTree> {
    await Promise.resolve();
    const tree = this.trees.get(treeId);
    if (!tree) throw new OperationalError("session-damaged", { forUser: `tree ${treeId} is missing` });
    return tree;
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }
}

/** Events in memory as a log hands them out; those that are added later as well. */
export function loggedFrom(events: readonly SessionEvent[]): LoggedEvents {
  const later = <Value>(value: Value): Promise<Value> => Promise.resolve(value);
  return {
    get count() {
      return events.length;
    },
    at: (seq) => later(events.find((event) => event.seq === seq)),
    findLast: (isOf) => later(events.findLast(isOf)),
    async *pagesAfter() {
      yield await later({ events: [...events], before: nothingPassed });
    },
    all: () => later([...events]),
  };
}

/** Calls, requests and jobs without an end. */
export function openEnds(events: readonly SessionEvent[]): OpenEnds {
  const work = new OpenWork();
  for (const event of events) work.take(event);
  return work.ends();
}

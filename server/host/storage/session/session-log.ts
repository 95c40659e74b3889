import { OperationalError } from "../../../core/base/operational-error";
import type { SourceTree } from "../../../core/judge/candidate";
import type { LoggedEvents, SessionLog } from "../../../core/ports/run-store";
import { mustFlush } from "../../../core/trajectory/durability";
import type { NewEvent, SessionEvent, StoredText } from "../../../core/trajectory/events";
import type { CandidateRecord } from "../../../core/trajectory/state";
import { changedFiles, treeId, type TreeFile } from "../../../core/trajectory/tree";
import { envelopeLine, rereadLine } from "./envelope-line";
import { seal } from "./seal";
import { SegmentWriter } from "./segment-writer";
import type { SessionMemory } from "./session-memory";
import { SerialQueue } from "../serial-queue";
import type { StoragePorts } from "../storage-ports";
import { loadSource, loadText, storeSource, storeText } from "./stored-content";
import type { WriterLock } from "../writer-lock";

const segmentLimitBytes = 8 * 1024 * 1024;

/** Where the next line goes; what it must carry, the session's memory knows. */
export interface LogPosition {
  readonly segment: number;
  /** True when the newest start or resume has its end in the log. */
  readonly ended: boolean;
}

/** The one open log of a session. Calls may overlap; they take effect in the order of calling. */
export class FileSessionLog implements SessionLog {
  readonly logged: LoggedEvents;
  private readonly queue = new SerialQueue();
  private closing = false;
  private closed = false;
  private position: LogPosition;

  constructor(
    readonly sessionId: string,
    private readonly folder: string,
    private readonly ports: StoragePorts,
    private readonly open: {
      readonly lock: WriterLock;
      writer: SegmentWriter;
      readonly position: LogPosition;
      readonly memory: SessionMemory;
      readonly endWriting: () => Promise<void>;
      /** Called when the lock is free again. */
      readonly onClosed: () => void;
    },
  ) {
    this.position = open.position;
    this.logged = open.memory.logged("growing");
  }

  append(event: NewEvent): Promise<SessionEvent> {
    return this.queue.run(async () => {
      this.assertOpen();
      if (this.open.writer.bytes >= segmentLimitBytes) await this.startSegment();
      return this.write(event);
    });
  }

  get candidates(): readonly CandidateRecord[] {
    return this.open.memory.candidates();
  }

  storeText(text: string, mediaType = "text/plain; charset=utf-8"): Promise<StoredText> {
    return storeText(text, mediaType, this.ports);
  }

  loadText(stored: StoredText): Promise<string> {
    return loadText(stored, this.ports.blobs);
  }

  snapshot(tree: SourceTree, parent: string | null): Promise<string> {
    return this.queue.run(async () => {
      this.assertOpen();
      const whole = await storeSource(tree, this.ports);
      const id = treeId(whole, (text) => this.ports.identity.sha256(text));
      const { trees } = this.open.memory;
      if (trees.has(id)) return id;
      const base = parent === null ? undefined : trees.whole(parent);
      const files = changedFiles(base ?? new Map<string, TreeFile>(), whole);
      await this.write({
        type: "tree.snapshot",
        actor: { kind: "engine" },
        data: { tree: id, parent: base ? parent : null, files },
      });
      return id;
    });
  }

  loadTree(id: string): Promise<SourceTree> {
    return loadSource(this.open.memory.trees, id, this.ports);
  }

  /** True from the moment of closing on: what is appended now would come too late. */
  get isClosing(): boolean {
    return this.closing;
  }

  close(): Promise<void> {
    this.closing = true;
    return this.queue.run(async () => {
      if (this.closed) return;
      this.closed = true;
      try {
        await this.closeSegment();
        const { memory } = this.open;
        if (this.position.ended)
          await seal(this.folder, { log: memory.log, blobs: memory.blobNames() }, this.ports);
      } finally {
        const { endWriting, lock, onClosed } = this.open;
        await endWriting().finally(() => lock.release().finally(onClosed));
      }
    });
  }

  private assertOpen(): void {
    if (this.closed)
      throw new OperationalError("session-locked", {
        forUser: `Session ${this.sessionId} was closed; it takes no more events.`,
      });
    this.open.lock.assertHeld();
  }

  private async startSegment(): Promise<void> {
    const segment = this.position.segment + 1;
    const writer = await SegmentWriter.create(this.folder, segment);
    await this.closeSegment();
    this.open.writer = writer;
    this.position = { ...this.position, segment };
    await this.write({ type: "segment.opened", actor: { kind: "system" }, data: { segment } });
  }

  private async closeSegment(): Promise<void> {
    await this.open.writer.close();
    this.open.memory.close(this.open.writer.sealed(), this.position.segment);
  }

  private async write(event: NewEvent): Promise<SessionEvent> {
    const { nextSequence: sequence, head: before } = this.open.memory.log;
    const line = envelopeLine(event, { sequence, head: before }, this.ports);
    const bytes = new TextEncoder().encode(`${line}\n`);
    // What the caller gets is what a reader will get, so that a live view and a reopened one are the same.
    const written = rereadLine(line);
    await this.open.writer.append(bytes, mustFlush(event));
    const ended = event.type === "session.ended" || (this.position.ended && event.type !== "session.resumed");
    this.position = { ...this.position, ended };
    const { path, bytes: end } = this.open.writer;
    const head = this.ports.identity.sha256(bytes.subarray(0, -1));
    this.open.memory.append(written, { path, end, head });
    return written;
  }
}

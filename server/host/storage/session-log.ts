import { join } from "node:path";
import { OperationalError } from "../../core/base/operational-error";
import type { SourceTree } from "../../core/kernel/candidate";
import type { SessionLog } from "../../core/ports/run-store";
import { blobHex, blobsOf, inlineLimitBytes, makePreview } from "../../core/trajectory/blobs";
import { mustFlush } from "../../core/trajectory/durability";
import type { NewEvent, SessionEvent, StoredText } from "../../core/trajectory/events";
import { toStorable } from "../../core/trajectory/storable";
import { changedFiles, treeId, type TreeFile, type WholeTree } from "../../core/trajectory/tree";
import { seal } from "./seal";
import { SegmentWriter } from "./segment-writer";
import { SerialQueue } from "./serial-queue";
import { segmentName } from "./session-folder";
import type { StoragePorts } from "./storage-ports";
import { decodeBlob, loadSource } from "./trees";
import type { WriterLock } from "./writer-lock";

const segmentLimitBytes = 8 * 1024 * 1024;

/** Where the next line goes and what it must carry. */
export interface LogPosition {
  readonly segment: number;
  readonly sequence: number;
  readonly head: string;
  readonly trees: ReadonlyMap<string, WholeTree>;
  /** True when the newest start or resume has its end in the log. */
  readonly ended: boolean;
}

/** The one open log of a session. Calls may overlap; they take effect in the order of calling. */
export class FileSessionLog implements SessionLog {
  private readonly queue = new SerialQueue();
  private readonly trees: Map<string, WholeTree>;
  private closed = false;
  private position: LogPosition;

  constructor(
    readonly sessionId: string,
    private readonly folder: string,
    private readonly ports: StoragePorts,
    private readonly open: { readonly lock: WriterLock; writer: SegmentWriter; readonly position: LogPosition; readonly onClose: () => void },
  ) {
    this.position = open.position;
    this.trees = new Map(open.position.trees);
  }

  append(event: NewEvent): Promise<SessionEvent> {
    return this.queue.run(async () => {
      this.assertOpen();
      if (this.open.writer.bytes >= segmentLimitBytes) await this.startSegment();
      return this.write(event);
    });
  }

  async storeText(text: string, mediaType = "text/plain; charset=utf-8"): Promise<StoredText> {
    const clean = this.ports.redactor.redact(text);
    const bytes = new TextEncoder().encode(clean);
    if (bytes.length <= inlineLimitBytes) return clean;
    const hex = await this.ports.blobs.put(bytes);
    return { $blob: `sha256:${hex}`, bytes: bytes.length, media_type: mediaType, preview: makePreview(clean) };
  }

  async loadText(stored: StoredText): Promise<string> {
    if (typeof stored === "string") return stored;
    return decodeBlob(await this.ports.blobs.get(blobHex(stored)));
  }

  snapshot(tree: SourceTree, parent: string | null): Promise<string> {
    return this.queue.run(async () => {
      this.assertOpen();
      const whole = await this.storeFiles(tree);
      const id = treeId(whole, (text) => this.ports.identity.sha256(text));
      if (this.trees.has(id)) return id;
      const base = parent === null ? undefined : this.trees.get(parent);
      const files = changedFiles(base ?? new Map<string, TreeFile>(), whole);
      await this.write({ type: "tree.snapshot", actor: { kind: "engine" }, data: { tree: id, parent: base ? parent : null, files } });
      this.trees.set(id, whole);
      return id;
    });
  }

  loadTree(id: string): Promise<SourceTree> {
    return loadSource(this.trees, id, this.ports);
  }

  close(): Promise<void> {
    return this.queue.run(async () => {
      if (this.closed) return;
      this.closed = true;
      try {
        await this.open.writer.close();
        if (this.position.ended) await seal(this.folder, this.ports);
      } finally {
        await this.open.lock.release();
        this.open.onClose();
      }
    });
  }

  private assertOpen(): void {
    if (this.closed) throw new OperationalError("session-locked", { forUser: `Session ${this.sessionId} was closed; it takes no more events.` });
    this.open.lock.assertHeld();
  }

  private async startSegment(): Promise<void> {
    const segment = this.position.segment + 1;
    const writer = await SegmentWriter.create(join(this.folder, segmentName(segment)));
    await this.open.writer.close();
    this.open.writer = writer;
    this.position = { ...this.position, segment };
    await this.write({ type: "segment.opened", actor: { kind: "system" }, data: { segment } });
  }

  private async write(event: NewEvent): Promise<SessionEvent> {
    const { clock, identity, redactor } = this.ports;
    const { data, unrepresentable } = toStorable(event.data, (text) => redactor.redact(text));
    const blobs = blobsOf(event.type, data);
    const line = JSON.stringify({
      v: 1,
      seq: this.position.sequence,
      id: identity.ulid(),
      ts: clock.now(),
      mono_us: clock.monotonicMicroseconds(),
      type: event.type,
      actor: event.actor,
      ...(event.step === undefined ? {} : { step: event.step }),
      branch: "main",
      data,
      ...(unrepresentable.length === 0 ? {} : { unrepresentable }),
      ...(blobs.length === 0 ? {} : { blobs }),
      prev: this.position.head,
    });
    const bytes = new TextEncoder().encode(`${line}\n`);
    await this.open.writer.append(bytes, mustFlush(event));
    const ended = event.type === "session.ended" || (this.position.ended && event.type !== "session.resumed");
    this.position = { ...this.position, ended, sequence: this.position.sequence + 1, head: identity.sha256(bytes.subarray(0, -1)) };
    // What the caller gets is what a reader will get, so that a live view and a reopened one are the same.
    return JSON.parse(line) as SessionEvent;
  }

  private async storeFiles(tree: SourceTree): Promise<WholeTree> {
    const files = new Map<string, TreeFile>();
    for (const [path, text] of Object.entries(tree)) {
      const secret = this.ports.redactor.find(text);
      if (secret) throw secretInSource(path, secret);
      const blob = await this.ports.blobs.put(new TextEncoder().encode(text));
      files.set(path, { blob, mode: "100644", eol: text.includes("\r\n") ? "crlf" : "lf" });
    }
    return files;
  }
}

/** A source file is kept byte for byte or not at all: a redacted copy would end up in the user's workspace. */
function secretInSource(path: string, secret: { readonly line: number; readonly kind: string }): OperationalError {
  return new OperationalError("file-unreadable", {
    forUser: `${path}:${secret.line} holds what looks like a secret (${secret.kind}). Kernelwright never copies secrets into a session: move it out of the source, then try again.`,
    forModel: `${path}:${secret.line} holds what looks like a secret; it must not be in the source.`,
  });
}

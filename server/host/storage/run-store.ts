import { join } from "node:path";
import { OperationalError } from "../../core/base/operational-error";
import type { SourceTree } from "../../core/kernel/candidate";
import type { SessionLog, SessionStore, SessionSummary } from "../../core/ports/run-store";
import { blobHex } from "../../core/trajectory/blobs";
import type { EventData, NewEvent, SessionEvent, StoredText } from "../../core/trajectory/events";
import { closingEvents, isOpenEnded, openEnds } from "../../core/trajectory/recovery";
import { Redactor } from "../../core/trajectory/redact";
import { treesOf } from "../../core/trajectory/tree";
import { BlobStore } from "./blob-store";
import { makeFolder, writeWhole } from "./disk";
import { SegmentWriter } from "./segment-writer";
import { existingFolder, listSessionIds, lockFile, segmentName, sessionFile } from "./session-folder";
import { FileSessionLog, type LogPosition } from "./session-log";
import { followSession, moveTornTail, readSession, type ReadSession } from "./session-reader";
import type { StoragePorts } from "./storage-ports";
import { summaryOf } from "./summaries";
import { decodeBlob, loadSource } from "./trees";
import { WriterLock } from "./writer-lock";

export interface FileRunStoreOptions extends Pick<StoragePorts, "clock" | "identity"> {
  /** Folder of all sessions; made when the first session is. */
  readonly root: string;
  readonly productVersion: string;
}

/** Sessions in a folder, in the layout of session folders, segments and blobs that session-folder.ts names. */
export class FileRunStore implements SessionStore {
  private readonly root: string;
  private readonly productVersion: string;
  private readonly ports: StoragePorts;
  private readonly openLogs = new Map<string, FileSessionLog>();

  constructor(options: FileRunStoreOptions) {
    const { root, productVersion, clock, identity } = options;
    this.root = root;
    this.productVersion = productVersion;
    this.ports = { clock, identity, redactor: new Redactor(), blobs: new BlobStore(root, identity) };
  }

  learnSecret(value: string): void {
    this.ports.redactor.learn(value);
  }

  async create(): Promise<SessionLog> {
    const sessionId = this.ports.identity.ulid();
    const folder = join(this.root, sessionId);
    await makeFolder(folder);
    const lock = await WriterLock.acquire(join(folder, lockFile), this.ports);
    try {
      const facts = { format: "kernelwright-session", format_version: "1.0", session: sessionId, created: this.ports.clock.now(), product: { name: "kernelwright", version: this.productVersion } };
      await writeWhole(join(folder, sessionFile), `${JSON.stringify(facts, undefined, 2)}\n`, this.ports.identity.ulid());
      const read = await readSession(folder, this.ports.identity);
      return await this.openLog(sessionId, lock, { segment: 1, sequence: 1, head: read.head, trees: new Map(), ended: false });
    } catch (thrown) {
      await lock.release();
      throw thrown;
    }
  }

  async reopen(sessionId: string): Promise<{ readonly log: SessionLog; readonly events: readonly SessionEvent[] }> {
    const folder = await existingFolder(this.root, sessionId);
    const lock = await WriterLock.acquire(join(folder, lockFile), this.ports);
    try {
      const read = await readSession(folder, this.ports.identity);
      if (read.damaged !== undefined) throw damaged(sessionId, read.damaged);
      if (read.torn) await moveTornTail(read.torn);
      const segment = read.lastSegment + 1;
      const open = isOpenEnded(read.events);
      const log = await this.openLog(sessionId, lock, { segment, sequence: read.nextSequence, head: read.head, trees: treesOf(read.events), ended: !open });
      const added: SessionEvent[] = [];
      for (const event of openingEvents(segment, read, open)) added.push(await log.append(event));
      return { log, events: [...read.events, ...added] };
    } catch (thrown) {
      await this.openLogs.get(sessionId)?.close();
      await lock.release();
      throw thrown;
    }
  }

  async read(sessionId: string): Promise<{ readonly events: readonly SessionEvent[]; readonly damaged?: string; readonly head: string }> {
    const { events, head, damaged: reason } = await readSession(await existingFolder(this.root, sessionId), this.ports.identity);
    return { events, head, ...(reason === undefined ? {} : { damaged: reason }) };
  }

  async loadText(stored: StoredText): Promise<string> {
    return typeof stored === "string" ? stored : decodeBlob(await this.ports.blobs.get(blobHex(stored)));
  }

  async loadTree(sessionId: string, treeId: string): Promise<SourceTree> {
    const { events } = await this.read(sessionId);
    return loadSource(treesOf(events), treeId, this.ports);
  }

  async list(): Promise<readonly SessionSummary[]> {
    const summaries: SessionSummary[] = [];
    for (const sessionId of await listSessionIds(this.root)) {
      const summary = await summaryOf(sessionId, join(this.root, sessionId), this.ports);
      if (summary) summaries.push(summary);
    }
    return summaries;
  }

  async follow(sessionId: string, onEvents: (events: readonly SessionEvent[]) => void, signal: AbortSignal): Promise<void> {
    await followSession(await existingFolder(this.root, sessionId), onEvents, { ...this.ports, signal });
  }

  async decide(sessionId: string, decision: EventData["edit.hunk_decided"]): Promise<SessionEvent> {
    const event: NewEvent = { type: "edit.hunk_decided", actor: { kind: "user" }, data: decision };
    const live = this.openLogs.get(sessionId);
    if (live) return live.append(event);
    const { log } = await this.reopen(sessionId);
    try {
      return await log.append(event);
    } finally {
      await log.close();
    }
  }

  private async openLog(sessionId: string, lock: WriterLock, position: LogPosition): Promise<FileSessionLog> {
    const folder = join(this.root, sessionId);
    const writer = await SegmentWriter.create(join(folder, segmentName(position.segment)));
    const log = new FileSessionLog(sessionId, folder, this.ports, { lock, writer, position, onClose: () => this.openLogs.delete(sessionId) });
    this.openLogs.set(sessionId, log);
    return log;
  }
}

/** What a new segment begins with: its number, and after a crash what was lost, each open call and request closed. */
function openingEvents(segment: number, read: ReadSession, open: boolean): readonly NewEvent[] {
  const opened: NewEvent = { type: "segment.opened", actor: { kind: "system" }, data: { segment } };
  const ends = openEnds(read.events);
  const lost = [...ends.calls, ...ends.requests, ...ends.jobs];
  if (!open && lost.length === 0 && !read.torn) return [opened];
  return [opened, { type: "session.recovered", actor: { kind: "system" }, data: { torn_bytes: read.torn?.bytes ?? 0, lost_calls: lost } }, ...closingEvents(ends)];
}

function damaged(sessionId: string, reason: string): OperationalError {
  return new OperationalError("session-damaged", {
    forUser: `Session ${sessionId} is damaged: ${reason}. It can be viewed and exported, but not continued.`,
    forModel: "The session is damaged and cannot be continued.",
  });
}

import { join } from "node:path";
import type { SourceTree } from "../../core/judge/candidate";
import type { SessionLog, SessionRecord, SessionStore, SessionSummary } from "../../core/ports/run-store";
import type { NewEvent, SessionEvent, StoredText } from "../../core/trajectory/events";
import { Redactor } from "../../core/trajectory/redact";
import { BlobStore } from "./blob-store";
import type { StoragePorts } from "./storage-ports";
import { type SegmentDisk, segmentDisk } from "./session/segment-disk";
import { existingFolder, listSessionIds } from "./session/session-folder";
import { SessionWriters, type WriterPlace } from "./session/session-writers";
import { SessionMemories } from "./session/session-memories";
import { followSession, readOpening } from "./session/session-reader";
import { summaryOf, summaryOfMemory } from "./summaries";
import { loadSource, loadText } from "./session/stored-content";

interface FileRunStoreOptions extends Pick<StoragePorts, "clock" | "identity"> {
  /** Folder of all sessions; made when the first session is. */
  readonly root: string;
  readonly productVersion: string;
  /** How segments are read; the file system's own way when left out. */
  readonly disk?: SegmentDisk;
}

/**
 * Sessions in a folder, in the layout of session folders, segments and blobs that session-folder.ts names.
 */
export class FileRunStore implements SessionStore {
  private readonly place: WriterPlace;
  private readonly productVersion: string;
  private readonly writers: SessionWriters;
  private readonly memories: SessionMemories;

  constructor(options: FileRunStoreOptions) {
    const { root, productVersion, clock, identity } = options;
    this.productVersion = productVersion;
    const disk = options.disk ?? segmentDisk;
    this.memories = new SessionMemories(root, { identity, disk });
    this.place = {
      root,
      memories: this.memories,
      ports: { clock, identity, disk, redactor: new Redactor(), blobs: new BlobStore(root, identity) },
    };
    this.writers = new SessionWriters(this.place);
  }

  learnSecret(value: string): void {
    this.place.ports.redactor.learn(value);
  }

  /** What exports redact with: it knows the same secrets. */
  get redactor(): Redactor {
    return this.place.ports.redactor;
  }

  create(): Promise<SessionLog> {
    return this.writers.create(this.productVersion);
  }

  reopen(sessionId: string): Promise<SessionLog> {
    return this.writers.reopen(sessionId);
  }

  async read(sessionId: string, goesThrough = false): Promise<SessionRecord> {
    return (await this.memories.current(sessionId, goesThrough)).record();
  }

  async opening(sessionId: string, most: number): Promise<readonly SessionEvent[] | undefined> {
    if (this.memories.isKnown(sessionId)) return undefined;
    return readOpening(await existingFolder(this.place.root, sessionId), { ...this.place.ports, most });
  }

  async summary(sessionId: string): Promise<SessionSummary> {
    const folder = await existingFolder(this.place.root, sessionId);
    return summaryOfMemory(sessionId, folder, {
      memory: await this.memories.current(sessionId),
      clock: this.place.ports.clock,
    });
  }

  loadText(stored: StoredText): Promise<string> {
    return loadText(stored, this.place.ports.blobs);
  }

  async loadTree(sessionId: string, treeId: string): Promise<SourceTree> {
    return loadSource((await this.memories.current(sessionId)).trees, treeId, this.place.ports);
  }

  async list(): Promise<readonly SessionSummary[]> {
    const { root, ports } = this.place;
    const summaries: SessionSummary[] = [];
    for (const sessionId of await listSessionIds(root)) {
      const summary = await summaryOf(sessionId, join(root, sessionId), ports);
      if (summary) summaries.push(summary);
    }
    return summaries;
  }

  async follow(
    sessionId: string,
    onEvents: (events: readonly SessionEvent[]) => void,
    signal: AbortSignal,
  ): Promise<void> {
    await followSession(await existingFolder(this.place.root, sessionId), onEvents, {
      ...this.place.ports,
      signal,
    });
  }

  append(sessionId: string, event: NewEvent): Promise<SessionEvent> {
    return this.writers.append(sessionId, event);
  }
}

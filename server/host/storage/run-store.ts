import { join } from "node:path";
import type { SourceTree } from "../../core/judge/candidate";
import type { SessionLog, SessionStore, SessionSummary } from "../../core/ports/run-store";
import type { EventData, NewEvent, SessionEvent, StoredText } from "../../core/trajectory/events";
import { Redactor } from "../../core/trajectory/redact";
import { treesOf } from "../../core/trajectory/tree";
import { BlobStore } from "./blob-store";
import { existingFolder, listSessionIds } from "./session/session-folder";
import { createLog, reopenLog, type LogPlace } from "./session/session-opening";
import { followSession, readSession } from "./session/session-reader";
import type { StoragePorts } from "./storage-ports";
import { summaryOf } from "./summaries";
import { loadSource, loadText } from "./session/stored-content";

export interface FileRunStoreOptions extends Pick<StoragePorts, "clock" | "identity"> {
  /** Folder of all sessions; made when the first session is. */
  readonly root: string;
  readonly productVersion: string;
}

/**
 * Sessions in a folder, in the layout of session folders, segments and blobs that session-folder.ts names.
 */
export class FileRunStore implements SessionStore {
  private readonly place: LogPlace;
  private readonly productVersion: string;
  private readonly openLogs = new Map<string, SessionLog>();

  constructor(options: FileRunStoreOptions) {
    const { root, productVersion, clock, identity } = options;
    this.productVersion = productVersion;
    this.place = {
      root,
      ports: { clock, identity, redactor: new Redactor(), blobs: new BlobStore(root, identity) },
      onClose: (sessionId) => this.openLogs.delete(sessionId),
    };
  }

  learnSecret(value: string): void {
    this.place.ports.redactor.learn(value);
  }

  /** What exports redact with: it knows the same secrets. */
  get redactor(): Redactor {
    return this.place.ports.redactor;
  }

  async create(): Promise<SessionLog> {
    const log = await createLog(this.place, this.productVersion);
    this.openLogs.set(log.sessionId, log);
    return log;
  }

  async reopen(
    sessionId: string,
  ): Promise<{ readonly log: SessionLog; readonly events: readonly SessionEvent[] }> {
    const opened = await reopenLog(this.place, sessionId);
    this.openLogs.set(sessionId, opened.log);
    return opened;
  }

  async read(
    sessionId: string,
  ): Promise<{ readonly events: readonly SessionEvent[]; readonly damaged?: string; readonly head: string }> {
    const { events, head, damaged } = await readSession(
      await this.folderOf(sessionId),
      this.place.ports.identity,
    );
    return { events, head, ...(damaged === undefined ? {} : { damaged }) };
  }

  loadText(stored: StoredText): Promise<string> {
    return loadText(stored, this.place.ports.blobs);
  }

  async loadTree(sessionId: string, treeId: string): Promise<SourceTree> {
    const { events } = await this.read(sessionId);
    return loadSource(treesOf(events), treeId, this.place.ports);
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
    await followSession(await this.folderOf(sessionId), onEvents, { ...this.place.ports, signal });
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

  private folderOf(sessionId: string): Promise<string> {
    return existingFolder(this.place.root, sessionId);
  }
}

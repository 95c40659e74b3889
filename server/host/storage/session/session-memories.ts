import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { StoragePorts } from "../storage-ports";
import { existingFolder, listSegments, sealFile } from "./session-folder";
import { KeptPages } from "./kept-pages";
import { SessionMemory } from "./session-memory";

/** How many sessions stay in memory that nobody writes here; the one asked for longest ago goes first. */
const mostResting = 32;

interface Resting {
  readonly memory: SessionMemory;
  /** `contentKey` of the folder that the memory agrees with. */
  readonly key: string;
}

/**
 * The sessions of one root that were read or written lately. A session that is written here is never read
 * again. Any other is read again only when the names, sizes or times of its files say that another process
 * has changed it.
 */
export class SessionMemories {
  private readonly written = new Map<string, SessionMemory>();
  private readonly resting = new Map<string, Resting>();
  private readonly reading = new Map<string, Promise<SessionMemory>>();
  private readonly kept = new KeptPages();

  constructor(
    private readonly root: string,
    private readonly ports: Pick<StoragePorts, "identity" | "disk">,
  ) {}

  /**
   * The session as it is now; `keeps`: its events will be gone through, and stay in memory as far as there is
   * room. Throws `session-not-found`, and `session-damaged` for a log of a newer format.
   */
  async current(sessionId: string, keeps = false): Promise<SessionMemory> {
    const written = this.written.get(sessionId);
    if (written !== undefined) return written;
    const reading = this.reading.get(sessionId) ?? this.readOrRecall(sessionId, keeps);
    this.reading.set(sessionId, reading);
    try {
      return await reading;
    } finally {
      this.reading.delete(sessionId);
    }
  }

  /** Whether a session is in memory, as it is now or as it was lately. */
  isKnown(sessionId: string): boolean {
    return this.written.has(sessionId) || this.resting.has(sessionId);
  }

  /** From now on this process is the session's writer. */
  beginWriting(sessionId: string, memory: SessionMemory): void {
    this.resting.delete(sessionId);
    this.written.set(sessionId, memory);
  }

  /** The writer has closed the log; what it wrote stays known while the files are exactly those. */
  async endWriting(sessionId: string): Promise<void> {
    const memory = this.written.get(sessionId);
    if (memory === undefined) return;
    // Until the files are looked at, the memory is what readers get: the lock is still held.
    const key = await contentKey(join(this.root, sessionId)).finally(() => this.written.delete(sessionId));
    const expected = memory.log.segments.map(({ file, bytes }) => `${file} ${bytes}`);
    const found = key.files.slice(0, -1).map(({ name, size }) => `${name} ${size}`);
    if (expected.join() === found.join()) this.rest(sessionId, { memory, key: key.text });
  }

  private async readOrRecall(sessionId: string, keeps: boolean): Promise<SessionMemory> {
    const folder = await existingFolder(this.root, sessionId);
    // Looked at before the reading: what is written meanwhile makes the next look differ.
    const { text: key } = await contentKey(folder);
    const written = this.written.get(sessionId);
    if (written !== undefined) return written;
    const known = this.resting.get(sessionId);
    const memory = known?.key === key ? known.memory : await this.read(folder, keeps);
    this.rest(sessionId, { memory, key });
    return memory;
  }

  private read(folder: string, keeps: boolean): Promise<SessionMemory> {
    return SessionMemory.read(folder, { ...this.ports, kept: this.kept, keeps });
  }

  private rest(sessionId: string, resting: Resting): void {
    this.resting.delete(sessionId);
    this.resting.set(sessionId, resting);
    for (const oldest of this.resting.keys()) {
      if (this.resting.size <= mostResting) return;
      this.resting.delete(oldest);
    }
  }
}

/** Names, sizes and times of the files that a session's log consists of; equal keys mean an unchanged log. */
interface ContentKey {
  readonly text: string;
  /** The segments in order, then the seal; size -1 for a file that is not there. */
  readonly files: readonly { readonly name: string; readonly size: number }[];
}

export async function contentKey(folder: string): Promise<ContentKey> {
  const names = [...(await listSegments(folder)).map((segment) => segment.name), sealFile];
  const files = await Promise.all(names.map((name) => fileMark(folder, name)));
  return { text: files.map((file) => `${file.name} ${file.mark}`).join("\n"), files };
}

async function fileMark(
  folder: string,
  name: string,
): Promise<{ readonly name: string; readonly size: number; readonly mark: string }> {
  try {
    const { size, mtimeNs, ctimeNs, ino } = await stat(join(folder, name), { bigint: true });
    return { name, size: Number(size), mark: `${size} ${mtimeNs} ${ctimeNs} ${ino}` };
  } catch {
    return { name, size: -1, mark: "none" };
  }
}

import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import type { OperationalError } from "../../../core/base/operational-error";
import { diskFailure, syncFolder } from "../disk";
import { basename, join } from "node:path";
import { segmentName } from "./session-folder";
import type { SealedSegment } from "./read-session";

const groupMilliseconds = 200;

/**
 * Appends whole lines to one segment. A line that could not be written whole is taken back, so that nothing
 * half-written stays.
 */
export class SegmentWriter {
  private unsynced = false;
  private timer: NodeJS.Timeout | undefined;
  private failure: OperationalError | undefined;
  private readonly hash = createHash("sha256");

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private written: number,
  ) {}

  /** Makes a new segment of a session's folder; one of that name must not exist. */
  static async create(folder: string, segment: number): Promise<SegmentWriter> {
    const path = join(folder, segmentName(segment));
    try {
      const file = await open(path, "ax", 0o600);
      await syncFolder(folder);
      return new SegmentWriter(path, file, 0);
    } catch (thrown) {
      throw diskFailure("make", path, thrown);
    }
  }

  get bytes(): number {
    return this.written;
  }

  /** What the seal holds of this segment as it is now. */
  sealed(): SealedSegment {
    return { file: basename(this.path), bytes: this.written, sha256: this.hash.copy().digest("hex") };
  }

  /** Writes one line with its newline by one call; `flush` puts it and all before it on the disk first. */
  async append(line: Uint8Array, flush: boolean): Promise<void> {
    if (this.failure) throw this.failure;
    try {
      await this.writeAll(line);
    } catch (thrown) {
      await this.takeBack(thrown);
    }
    this.written += line.length;
    this.hash.update(line);
    this.unsynced = true;
    if (flush) await this.sync();
    else this.syncSoon();
  }

  /**
   * Puts everything on the disk. A failed flush cannot be repeated (the system may have dropped the data), so
   * it ends this writer.
   */
  async sync(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.failure) throw this.failure;
    if (!this.unsynced) return;
    this.unsynced = false;
    try {
      await this.file.datasync();
    } catch (thrown) {
      this.failure = diskFailure("flush", this.path, thrown);
      throw this.failure;
    }
  }

  async close(): Promise<void> {
    try {
      if (!this.failure) await this.sync();
    } finally {
      clearTimeout(this.timer);
      await this.file.close();
    }
  }

  private async writeAll(line: Uint8Array): Promise<void> {
    // The system may take a part only (a disk that is nearly full); the rest then fails with the reason.
    for (let done = 0; done < line.length;) done += (await this.file.write(line, done)).bytesWritten;
  }

  private async takeBack(thrown: unknown): Promise<never> {
    const failure = diskFailure("write", this.path, thrown);
    try {
      await this.file.truncate(this.written);
    } catch {
      // The half line stays for recovery to move away; nothing may be written after it.
      this.failure = failure;
    }
    throw failure;
  }

  private syncSoon(): void {
    // A failure is kept by sync() and reported by the next append.
    this.timer ??= setTimeout(() => void this.sync().catch(() => undefined), groupMilliseconds);
  }
}

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { decodedText, encodingOf } from "../../../core/base/text";
import { searchLimits } from "../searched-places";

/** Neither a link nor a pipe that took a file's place since it was listed is followed or waited for. */
const plainFile = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const smallestBuffer = 256 * 1024;
/** Room below which the next file begins another batch. */
const leastRoom = 16 * 1024;

/** A file in the batch: what it is to the caller, and where its bytes stand. */
interface Entry<File> {
  readonly file: File;
  readonly start: number;
  readonly end: number;
}

/** Many files one behind the other in one buffer, so that one search goes through all of them. */
export class ReadBatch<File> {
  private buffer = Buffer.allocUnsafeSlow(smallestBuffer);
  private entries: Entry<File>[] = [];
  private length = 0;
  /** Before the first file of the batch was read, in milliseconds since 1970. */
  private begun = Date.now();

  get isFull(): boolean {
    return this.buffer.length - this.length < leastRoom;
  }

  get startedAt(): number {
    return this.begun;
  }

  /** False for what is too long for a source, or no plain file. Throws what the system says of the file. */
  add(file: File, absolute: string): boolean {
    const read = this.read(absolute);
    if (read === undefined) return false;
    const end = this.inUtf8(read);
    this.entries.push({ file, start: this.length, end });
    // No word goes on from one file into the next.
    this.buffer[end] = 0;
    this.length = end + 1;
    return true;
  }

  /**
   * Tells of each file whether a word stands in it without a letter of a longer name beside it, and empties
   * the batch. `bytes`: of the file, valid during the call; undefined where it does not hold the word.
   */
  empty(word: string, tell: (file: File, bytes: Buffer | undefined) => void): void {
    const text = this.buffer.subarray(0, this.length);
    const width = Buffer.byteLength(word);
    let at = text.indexOf(word);
    for (const { file, start, end } of this.entries) {
      if (at >= 0 && at < start) at = text.indexOf(word, start);
      while (at >= 0 && at < end && !standsAlone(text, at, width)) at = text.indexOf(word, at + 1);
      tell(file, at >= 0 && at < end ? text.subarray(start, end) : undefined);
    }
    this.entries = [];
    this.length = 0;
    this.begun = Date.now();
  }

  /** Where the bytes of the file end, which begin where the batch ended. */
  private read(absolute: string): number | undefined {
    const file = openSync(absolute, plainFile);
    try {
      // One byte is left for what parts the files.
      const room = this.buffer.length - this.length - 1;
      const first = readSync(file, this.buffer, this.length, room, 0);
      // One that leaves room was read to its end.
      return first < room ? this.length + first : this.readLong(file, first);
    } finally {
      closeSync(file);
    }
  }

  /** Where the bytes of the last file end, once they are UTF-8: a file in UTF-16 is searched as one. */
  private inUtf8(end: number): number {
    const bytes = this.buffer.subarray(this.length, end);
    const text = encodingOf(bytes) === "utf-8" ? undefined : decodedText(bytes);
    if (text === undefined) return end;
    const turned = Buffer.from(text);
    this.makeRoom(turned.length, this.length);
    turned.copy(this.buffer, this.length);
    return this.length + turned.length;
  }

  /** For so many bytes behind the batch, and the one that parts files; what stands up to `kept` stays. */
  private makeRoom(bytes: number, kept: number): void {
    const needed = this.length + bytes + 1;
    if (needed <= this.buffer.length) return;
    const longer = Buffer.allocUnsafeSlow(needed);
    this.buffer.copy(longer, 0, 0, kept);
    this.buffer = longer;
  }

  private readLong(file: number, first: number): number | undefined {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > searchLimits.bytes) return undefined;
    this.makeRoom(stats.size, this.length + first);
    let read = first;
    for (let more = 1; more > 0 && read < stats.size; read += more)
      more = readSync(file, this.buffer, this.length + read, stats.size - read, read);
    return this.length + read;
  }
}

function standsAlone(text: Buffer, at: number, width: number): boolean {
  return !isOfName(text[at - 1]) && !isOfName(text[at + width]);
}

function isOfName(byte: number | undefined): boolean {
  return byte !== undefined && /[\w$]/.test(String.fromCharCode(byte));
}

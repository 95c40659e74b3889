import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { PathRules } from "../../../core/base/path-rules";
import type { FoundText } from "../../../core/ports/files";
import { searchLimits } from "../searched-places";
import { FolderTable } from "./folder-table";
import { isCurrent, isUnchangedSince, type Stamp, stampOf } from "./stamp";
import type { Share } from "./thread-messages";

/** That a file does not hold a word. */
interface Absence {
  /** Before the file was read, in milliseconds since 1970. */
  readonly readAt: number;
  /** What it was then, once that was looked at: the first read of many files has no time for it. */
  stamp?: Stamp;
}

/** Words whose answers are kept; those asked for longest ago are forgotten. */
const mostWords = 4;
const smallestBuffer = 256 * 1024;
/** Neither a link nor a pipe that took a file's place since it was listed is followed or waited for. */
const plainFile = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Looks for words in the files below one root, one file after the other, without giving way: it is made for a
 * thread of its own. What does not hold a word is not read again before its time, size or place has changed.
 */
export class FileSearch {
  private readonly root: string;
  private readonly folders: FolderTable;
  private readonly answers = new Map<string, Map<string, Absence>>();
  private buffer = Buffer.allocUnsafeSlow(smallestBuffer);

  /** `hidden`: the patterns of what is never read. Throws where there is no such root. */
  constructor(root: string, hidden: readonly string[], share: Share = { number: 0, of: 1 }) {
    this.root = realpathSync.native(root);
    this.folders = new FolderTable(this.root, new PathRules(hidden), share);
  }

  /** Files that end in one of the suffixes and hold a word that stands by itself, with their texts. */
  search(word: string, suffixes: readonly string[]): readonly FoundText[] {
    const answers = this.answersFor(word);
    const found: FoundText[] = [];
    for (const path of this.folders.list(suffixes)) {
      const text = this.textWith(word, path, answers);
      if (text !== undefined) found.push({ path, text });
    }
    return found;
  }

  private answersFor(word: string): Map<string, Absence> {
    const answers = this.answers.get(word) ?? new Map<string, Absence>();
    this.answers.delete(word);
    this.answers.set(word, answers);
    for (const oldest of [...this.answers.keys()].slice(0, -mostWords)) this.answers.delete(oldest);
    return answers;
  }

  /** The text of a file that holds the word. What is gone or is no text holds none. */
  private textWith(word: string, path: string, answers: Map<string, Absence>): string | undefined {
    // What is listed has no links and no detours in it.
    const absolute = `${this.root}/${path}`;
    try {
      const known = answers.get(path);
      if (known !== undefined && isStill(known, lstatSync(absolute))) return undefined;
      const readAt = Date.now();
      const bytes = this.read(absolute);
      if (bytes !== undefined && standsIn(bytes, word)) {
        answers.delete(path);
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      }
      if (bytes !== undefined) answers.set(path, { readAt });
      return undefined;
    } catch {
      return undefined;
    }
  }

  /** Valid until the next file is read. Undefined for what is no plain file, or too long for a source. */
  private read(absolute: string): Buffer | undefined {
    const file = openSync(absolute, plainFile);
    try {
      const first = readSync(file, this.buffer, 0, this.buffer.length, 0);
      // One that leaves room in the buffer was read to its end.
      return first < this.buffer.length ? this.buffer.subarray(0, first) : this.readLong(file, first);
    } finally {
      closeSync(file);
    }
  }

  private readLong(file: number, first: number): Buffer | undefined {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > searchLimits.bytes) return undefined;
    const longer = Buffer.allocUnsafeSlow(Math.max(stats.size + 1, this.buffer.length));
    this.buffer.copy(longer);
    this.buffer = longer;
    let length = first;
    for (let more = 1; more > 0 && length < stats.size; length += more)
      more = readSync(file, longer, length, stats.size - length, length);
    return longer.subarray(0, length);
  }
}

/** Whether what a file does not hold it does not hold now. */
function isStill(known: Absence, now: Stats): boolean {
  if (known.stamp !== undefined) return isCurrent(known.stamp, now);
  if (!isUnchangedSince(known.readAt, now)) return false;
  known.stamp = stampOf(now, known.readAt);
  return true;
}

/** True where a word stands in a text without a letter of a longer name beside it. */
function standsIn(bytes: Buffer, word: string): boolean {
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1)) {
    const after = at + Buffer.byteLength(word);
    if (!isOfName(bytes[at - 1]) && !isOfName(bytes[after])) return true;
  }
  return false;
}

function isOfName(byte: number | undefined): boolean {
  return byte !== undefined && /[\w$]/.test(String.fromCharCode(byte));
}

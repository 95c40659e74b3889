import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { PathRules } from "../../../core/base/path-rules";
import type { FoundText } from "../../../core/ports/files";
import { searchLimits } from "../searched-places";
import { FolderTable } from "./folder-table";
import { isCurrent, type Stamp, stampOf } from "./stamp";

interface Answer {
  readonly stamp: Stamp;
  readonly holds: boolean;
}

interface ReadFile {
  readonly stamp: Stamp;
  /** Valid until the next file is read. */
  readonly bytes: Buffer;
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
  private readonly answers = new Map<string, Map<string, Answer>>();
  private buffer = Buffer.allocUnsafeSlow(smallestBuffer);

  /** `hidden`: the patterns of what is never read. Throws where there is no such root. */
  constructor(root: string, hidden: readonly string[]) {
    this.root = realpathSync.native(root);
    this.folders = new FolderTable(this.root, new PathRules(hidden));
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

  private answersFor(word: string): Map<string, Answer> {
    const answers = this.answers.get(word) ?? new Map<string, Answer>();
    this.answers.delete(word);
    this.answers.set(word, answers);
    for (const oldest of [...this.answers.keys()].slice(0, -mostWords)) this.answers.delete(oldest);
    return answers;
  }

  /** The text of a file that holds the word. What is gone or is no text holds none. */
  private textWith(word: string, path: string, answers: Map<string, Answer>): string | undefined {
    const absolute = join(this.root, path);
    try {
      const known = answers.get(path);
      if (known?.holds === false && isCurrent(known.stamp, lstatSync(absolute))) return undefined;
      const file = this.read(absolute);
      const holds = file !== undefined && standsIn(file.bytes, word);
      if (file) answers.set(path, { stamp: file.stamp, holds });
      return holds ? new TextDecoder("utf-8", { fatal: true }).decode(file.bytes) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Undefined for what is no plain file, or too long for a source. */
  private read(absolute: string): ReadFile | undefined {
    const file = openSync(absolute, plainFile);
    try {
      const readAt = Date.now();
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > searchLimits.bytes) return undefined;
      if (stats.size > this.buffer.length) this.buffer = Buffer.allocUnsafeSlow(stats.size);
      let length = 0;
      for (let more = 1; more > 0 && length < stats.size; length += more)
        more = readSync(file, this.buffer, length, stats.size - length, length);
      return { stamp: stampOf(stats, readAt), bytes: this.buffer.subarray(0, length) };
    } finally {
      closeSync(file);
    }
  }
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

import { lstatSync, realpathSync, type Stats } from "node:fs";
import { PathRules } from "../../../core/base/path-rules";
import { decodedText } from "../../../core/base/text";
import type { FoundText } from "../../../core/ports/files";
import { FolderTable, type KnownFile } from "./folder-table";
import { ReadBatch } from "./read-batch";
import { isCurrent, isUnchangedSince, stampOf } from "./stamp";
import type { Share } from "./thread-messages";
import { WordBits } from "./word-bits";

interface Looked {
  readonly known: KnownFile;
  /** Relative to the root. */
  readonly path: string;
}

/**
 * Looks for words in the files below one root, one file after the other, without giving way: it is made for a
 * thread of its own. What does not hold a word is not read again before its time, size or place has changed.
 */
export class FileSearch {
  private readonly root: string;
  private readonly folders: FolderTable;
  private readonly words: WordBits;
  private readonly batch = new ReadBatch<Looked>();

  /** `hidden`: the patterns of what is never read. Throws where there is no such root. */
  constructor(root: string, hidden: readonly string[], share: Share = { number: 0, of: 1 }) {
    this.root = realpathSync.native(root);
    this.folders = new FolderTable(this.root, new PathRules(hidden), share);
    this.words = new WordBits((forgotten) =>
      this.folders.forEach((file) => {
        file.lacks &= ~forgotten;
      }),
    );
  }

  /**
   * Files that end in one of the suffixes and hold a word that stands by itself, with their texts, in no
   * order.
   */
  search(word: string, suffixes: readonly string[]): readonly FoundText[] {
    const bit = this.words.bitOf(word);
    const found: FoundText[] = [];
    for (const { path, files } of this.folders.walk(suffixes)) {
      for (const known of files) {
        if (this.isKnownToLack(known, bit, path)) continue;
        this.add({ known, path: path + known.name });
        if (this.batch.isFull) this.take(word, bit, found);
      }
    }
    this.take(word, bit, found);
    return found;
  }

  /** Whether a file does not hold a word, without reading it. What has changed may hold any. */
  private isKnownToLack(known: KnownFile, bit: number, folder: string): boolean {
    if (known.lacks === 0) return false;
    try {
      if (isStill(known, lstatSync(`${this.root}/${folder}${known.name}`))) return (known.lacks & bit) !== 0;
    } catch {
      // What is gone is found out when it is read.
    }
    known.lacks = 0;
    return false;
  }

  /** What is gone or cannot be read holds no word. */
  private add(looked: Looked): void {
    try {
      // What is listed has no links and no detours in it.
      this.batch.add(looked, `${this.root}/${looked.path}`);
    } catch {
      looked.known.lacks = 0;
    }
  }

  private take(word: string, bit: number, found: FoundText[]): void {
    const readAt = this.batch.startedAt;
    this.batch.empty(word, ({ known, path }, bytes) => {
      if (bytes === undefined) learn(known, bit, readAt);
      else found.push(...textOf(path, bytes));
    });
  }
}

/** A file does not hold a word. What was learnt of it before holds on, with its time. */
function learn(known: KnownFile, bit: number, readAt: number): void {
  if (known.lacks === 0) {
    known.readAt = readAt;
    known.stamp = undefined;
  }
  known.lacks |= bit;
}

/** Whether a file is as it was read. */
function isStill(known: KnownFile, now: Stats): boolean {
  if (known.stamp !== undefined) return isCurrent(known.stamp, now);
  if (!isUnchangedSince(known.readAt, now)) return false;
  known.stamp = stampOf(now, known.readAt);
  return true;
}

/** Nothing for bytes that are no text. */
function textOf(path: string, bytes: Buffer): readonly FoundText[] {
  const text = decodedText(bytes);
  return text === undefined ? [] : [{ path, text }];
}

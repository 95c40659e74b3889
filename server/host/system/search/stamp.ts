import type { Stats } from "node:fs";

/** What tells whether a file or folder may have changed since it was read; times in milliseconds. */
export interface Stamp {
  readonly size: number;
  readonly inode: number;
  readonly modified: number;
  readonly changed: number;
  /** When it was read. */
  readonly readAt: number;
}

/**
 * The coarsest clock of a file system that is in use (FAT counts in steps of two seconds): what changed so
 * shortly before it was read may change again without another time.
 */
const coarsestClock = 2_000;

/** `readAt`: the time before the read, in milliseconds since 1970. */
export function stampOf(stats: Stats, readAt: number): Stamp {
  return {
    size: stats.size,
    inode: stats.ino,
    modified: stats.mtimeMs,
    changed: stats.ctimeMs,
    readAt,
  };
}

/**
 * True where what was read at a time is what a read would give now, as far as the times of the file tell; for
 * one that was read without a look at it.
 */
export function isUnchangedSince(readAt: number, { mtimeMs, ctimeMs }: Stats): boolean {
  return readAt - Math.max(mtimeMs, ctimeMs) > coarsestClock;
}

/** True where what was read under a stamp is what a read would give now. */
export function isCurrent(stamp: Stamp, now: Stats): boolean {
  return (
    stamp.size === now.size &&
    stamp.inode === now.ino &&
    stamp.modified === now.mtimeMs &&
    stamp.changed === now.ctimeMs &&
    isUnchangedSince(stamp.readAt, now)
  );
}

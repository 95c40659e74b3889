import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";

/** Kept files: programs and threads times versions of Node and of ours that are used side by side. */
const mostFiles = 24;

/** What a file begins with: the digest of the rest. */
const digestBytes = 32;

/**
 * Compiled code by name, for the next start. Whoever can write here decides what we run, so that a folder
 * or file which is not this user's alone counts as none. A cache that cannot be used costs time and nothing
 * else: no failure of it is reported.
 */
export class CodeCache {
  constructor(private readonly folder: string) {}

  /** The code that was kept under a name; undefined where there is none, it is damaged or not ours alone. */
  read(name: string): Uint8Array | undefined {
    return unlessRefused(() => {
      if (!isOursAlone(lstatSync(this.folder), "folder")) return undefined;
      const file = openSync(join(this.folder, name), constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        if (!isOursAlone(fstatSync(file), "file")) return undefined;
        const content = readFileSync(file);
        const code = content.subarray(digestBytes);
        return digestOf(code).equals(content.subarray(0, digestBytes)) ? code : undefined;
      } finally {
        closeSync(file);
      }
    });
  }

  /** Keeps code in one step, so that another start reads all of it or nothing. The oldest files go. */
  keep(name: string, code: Uint8Array): void {
    unlessRefused(() => {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      if (!isOursAlone(lstatSync(this.folder), "folder")) return;
      const temporary = join(this.folder, `${name}.${process.pid}-${threadId}.tmp`);
      try {
        writeFileSync(temporary, Buffer.concat([digestOf(code), code]), { flag: "wx", mode: 0o600 });
        renameSync(temporary, join(this.folder, name));
      } finally {
        rmSync(temporary, { force: true });
      }
      this.removeOldest();
    });
  }

  private removeOldest(): void {
    const files = readdirSync(this.folder).map((name) => join(this.folder, name));
    const newestFirst = files
      .map((path) => ({ path, written: statSync(path).mtimeMs }))
      .sort((a, b) => b.written - a.written);
    for (const { path } of newestFirst.slice(mostFiles)) rmSync(path, { force: true });
  }
}

function digestOf(code: Uint8Array): Buffer {
  return createHash("sha256").update(code).digest();
}

/** Systems without users by number (Windows) have no cache. */
function isOursAlone(stats: Stats, kind: "folder" | "file"): boolean {
  const isKind = kind === "folder" ? stats.isDirectory() : stats.isFile();
  return isKind && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}

/** What an operation on the disk gives; undefined where the system refuses it. */
function unlessRefused<Value>(operation: () => Value): Value | undefined {
  try {
    return operation();
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown) return undefined;
    throw thrown;
  }
}

import { open, rename, rm, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { OperationalError } from "../../core/base/operational-error";

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file has reached the size limit of this account",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "the disk is read-only",
  EMFILE: "too many files are open",
  ENOTDIR: "part of the path is a file, not a folder",
};

/** The code of a Node system error, or an empty text. */
export function errorCode(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
}

/**
 * Turns a system error into OperationalError `disk-failed` that names the path, the reason and what to do.
 */
export function diskFailure(doing: string, path: string, thrown: unknown): OperationalError {
  if (thrown instanceof OperationalError) return thrown;
  const reason = reasons[errorCode(thrown)] ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return new OperationalError("disk-failed", {
    forUser: `Could not ${doing} ${path}: ${reason}. Make room or permission there, or set KERNELWRIGHT_SESSIONS to another folder.`,
    forModel: `The session log could not be written: ${reason}.`,
    cause: thrown,
  });
}

/** Runs a disk operation; what goes wrong comes out as `disk-failed`. */
export async function onDisk<Value>(
  doing: string,
  path: string,
  operation: () => Promise<Value>,
): Promise<Value> {
  try {
    return await operation();
  } catch (thrown) {
    throw diskFailure(doing, path, thrown);
  }
}

/** A new folder with its parents; only this user may look inside. */
export async function makeFolder(path: string): Promise<void> {
  await onDisk("make the folder", path, () => mkdir(path, { recursive: true, mode: 0o700 }));
}

/**
 * Writes a whole file so that a crash at any moment leaves either the old content or the new: temporary file,
 * flush, rename, flush of the folder. `mark` makes the temporary name unique.
 */
export async function writeWhole(path: string, content: Uint8Array | string, mark: string): Promise<void> {
  const temporary = `${path}.${mark}.tmp`;
  await onDisk("write", path, async () => {
    try {
      const file = await open(temporary, "wx", 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (thrown) {
      await rm(temporary, { force: true });
      throw thrown;
    }
    await syncFolder(dirname(path));
  });
}

/** Makes a rename or a new file in the folder last through a power cut, where the system allows it. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder as a file; its renames are in the journal anyway.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

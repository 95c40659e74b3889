import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import { errorCode, onDisk } from "../disk";

/** Names of the files of one session. */
export const sessionFile = "session.json";
export const sealFile = "seal.json";
export const lockFile = "writer.lock";
/** What the user calls the session; not there while it has no name. */
export const nameFile = "name.txt";
/** Where the kernel's file is now; not there while nobody has seen it moved. */
export const placeFile = "file.txt";

const segmentPattern = /^events-(\d{6})\.jsonl$/;
const sessionPattern = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * Where sessions are kept: the setting, else KERNELWRIGHT_SESSIONS, else the user's data folder as the XDG
 * Base Directory specification says (~/.local/share when XDG_DATA_HOME is not set).
 */
export function defaultSessionsRoot(
  environment: Readonly<Record<string, string | undefined>>,
  setting?: string,
): string {
  if (setting) return setting;
  if (environment.KERNELWRIGHT_SESSIONS) return environment.KERNELWRIGHT_SESSIONS;
  const data = environment.XDG_DATA_HOME ?? "";
  return join(
    data.startsWith("/") ? data : join(environment.HOME ?? homedir(), ".local", "share"),
    "kernelwright",
    "sessions",
  );
}

export function segmentName(segment: number): string {
  return `events-${String(segment).padStart(6, "0")}.jsonl`;
}

export interface Segment {
  readonly number: number;
  readonly name: string;
  readonly path: string;
}

/** The segments that are there, in order. */
export async function listSegments(folder: string): Promise<readonly Segment[]> {
  const names = await onDisk("read", folder, () => readdir(folder));
  return names
    .filter((name) => segmentPattern.test(name))
    .sort()
    .map((name) => ({ number: Number(segmentPattern.exec(name)?.[1]), name, path: join(folder, name) }));
}

/** Ids of the sessions below a root, newest first; a root that does not exist holds none. */
export async function listSessionIds(root: string): Promise<readonly string[]> {
  return onDisk("read", root, async () => {
    try {
      return (await readdir(root))
        .filter((name) => sessionPattern.test(name))
        .sort()
        .reverse();
    } catch (thrown) {
      if (errorCode(thrown) === "ENOENT") return [];
      throw thrown;
    }
  });
}

/**
 * The folder of a session that exists. Throws OperationalError `session-not-found`; an id that is no ULID
 * never reaches the disk.
 */
export async function existingFolder(root: string, sessionId: string): Promise<string> {
  const folder = join(root, sessionId);
  if (sessionPattern.test(sessionId) && (await isFolder(folder))) return folder;
  throw new OperationalError("session-not-found", {
    forUser: `There is no session "${sessionId}" in ${root}. \`kernelwright sessions\` lists those that are there.`,
  });
}

/** The text of a small file, or undefined when it is not there. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  return onDisk("read", path, async () => {
    try {
      return await readFile(path, "utf8");
    } catch (thrown) {
      if (errorCode(thrown) === "ENOENT") return undefined;
      throw thrown;
    }
  });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

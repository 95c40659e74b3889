import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const STAMP = ".complete";

/** How often a waiting process looks whether the lock is free, in milliseconds. */
const POLL_MS = 500;

/**
 * A folder of the cache that is either complete or not there. It is built in place (a Python environment and
 * native modules do not like to be moved) and gets its stamp last; a folder without stamp is what an
 * interrupted build left, and is built anew. Two set-ups at once do not build the same folder: the second
 * waits and finds it complete.
 * @param {string} folder absolute path; its name should hold the versions of all that goes in
 * @param {() => Promise<void>} build fills the folder, which is there and empty
 * @returns {Promise<string>} the folder
 */
export async function cachedFolder(folder, build) {
  if (isComplete(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const release = await lock(`${folder}.lock`);
  try {
    if (isComplete(folder)) return folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await build();
    writeFileSync(join(folder, STAMP), `${new Date().toISOString()}\n`);
    return folder;
  } finally {
    release();
  }
}

/**
 * Whether a cached folder needs no work.
 * @param {string} folder
 */
export function isComplete(folder) {
  return existsSync(join(folder, STAMP));
}

/**
 * Takes a lock file that holds our process id; a lock whose process is gone is taken over.
 * @param {string} path
 * @returns {Promise<() => void>} gives the lock back
 */
async function lock(path) {
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    if (isAbandoned(path)) rmSync(path, { force: true });
    else await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
}

/** @param {string} path */
function isAbandoned(path) {
  try {
    const owner = Number(readFileSync(path, "utf8"));
    // A lock that has no number yet is being written; one that stays so is a leftover of a full disk.
    if (!owner) return Date.now() - statSync(path).mtimeMs > 10_000;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    return code === "ESRCH" || code === "ENOENT";
  }
}

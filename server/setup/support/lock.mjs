import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";

/** How often a waiting process looks whether the lock is free, in milliseconds. */
const POLL_MS = 250;

/** How often a holder shows that it is alive, in milliseconds; only another machine relies on it. */
const BEAT_MS = 10_000;

/** A lock of another machine without a beat for so long is abandoned, in milliseconds. */
const SILENT_MS = 60_000;

/** @typedef {{ pid: number, started: string | undefined, host: string }} Holder */

/**
 * Runs work while no other process does what the same lock file guards. A lock whose process is gone is taken
 * over, so a set-up that was killed holds up nobody.
 * @template T
 * @param {string} path of the lock file; its folder is made when it is not there
 * @param {() => Promise<T>} work
 * @param {(line: string) => void} [waiting] told once when another process holds the lock
 * @returns {Promise<T>}
 */
export async function exclusively(path, work, waiting) {
  mkdirSync(dirname(path), { recursive: true });
  const release = await take(path, waiting);
  try {
    return await work();
  } finally {
    release();
  }
}

/**
 * @param {string} path
 * @param {((line: string) => void) | undefined} waiting
 * @returns {Promise<() => void>} gives the lock back
 */
async function take(path, waiting) {
  /** @type {Holder} */
  const own = { pid: process.pid, started: startOf(process.pid), host: hostname() };
  for (let told = false; ;) {
    if (create(path, JSON.stringify(own))) break;
    const seen = readIfThere(path);
    if (seen === undefined) continue;
    if (isAbandoned(path, seen)) {
      removeSame(path, seen);
      continue;
    }
    if (!told) waiting?.(`waiting for another set-up that is at work (${describe(seen)})`);
    told = true;
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
  const beat = setInterval(() => touch(path), BEAT_MS).unref();
  return () => {
    clearInterval(beat);
    rmSync(path, { force: true });
  };
}

/**
 * @param {string} path
 * @param {string} content
 * @returns {boolean} whether the file was made; false when there is one
 */
function create(path, content) {
  try {
    writeFileSync(path, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * @param {string} path
 * @param {string} content of the lock file
 */
function isAbandoned(path, content) {
  const silent = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const holder = holderOf(content);
  // A lock without a holder is being written; one that stays so was left by a full disk.
  if (!holder) return silent > BEAT_MS;
  if (holder.host !== hostname()) return silent > SILENT_MS;
  return !isAlive(holder.pid) || (holder.started !== undefined && startOf(holder.pid) !== holder.started);
}

/**
 * Removes an abandoned lock unless another process has replaced it since it was read: the rename gives the
 * file to exactly one process, which puts back what it did not mean to take.
 * @param {string} path
 * @param {string} content that was found abandoned
 */
function removeSame(path, content) {
  const taken = `${path}.${process.pid}`;
  try {
    renameSync(path, taken);
    if (readFileSync(taken, "utf8") !== content) linkSync(taken, path);
  } catch (error) {
    const { code = "" } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!["ENOENT", "EEXIST"].includes(code)) throw error;
  } finally {
    rmSync(taken, { force: true });
  }
}

/**
 * @param {string} content
 * @returns {Holder | undefined}
 */
function holderOf(content) {
  try {
    const { pid, started, host } = JSON.parse(content);
    return typeof pid === "number" && typeof host === "string" ? { pid, started, host } : undefined;
  } catch {
    // Half written, or by an older set-up: nobody's.
    return undefined;
  }
}

/** @param {string} content */
function describe(content) {
  const holder = holderOf(content);
  if (!holder) return "just started";
  return holder.host === hostname() ? `process ${holder.pid}` : `process ${holder.pid} on ${holder.host}`;
}

/**
 * When a process started, in the kernel's own count, which tells it from a later one with the same number.
 * @param {number} pid
 * @returns {string | undefined} undefined where there is no /proc
 */
function startOf(pid) {
  // Behind the name, which stands in parentheses and may hold anything, it is the 20th field.
  return readIfThere(`/proc/${pid}/stat`)?.split(") ").at(-1)?.split(" ")[19];
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH";
  }
}

/** @param {string} path */
function touch(path) {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // A beat that fails is made up for by the next one; on this machine the process itself is the proof.
    return;
  }
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "" } = /** @type {NodeJS.ErrnoException} */ (error);
    if (["ENOENT", "ESRCH"].includes(code)) return undefined;
    throw error;
  }
}

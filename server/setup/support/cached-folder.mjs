import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exclusively } from "./lock.mjs";

const STAMP = ".complete";

/**
 * A folder of the cache that is either complete or not there. It is built in place (a Python environment and
 * native modules do not like to be moved) and gets its stamp last; a folder without stamp is what an
 * interrupted build left, and is built anew. Two set-ups at once do not build the same folder: the second
 * waits and finds it complete.
 * @param {string} folder absolute path; its name should hold the versions of all that goes in
 * @param {() => Promise<void>} build fills the folder, which is there and empty
 * @param {(line: string) => void} [waiting] told when another set-up builds the folder
 * @returns {Promise<string>} the folder
 */
export async function cachedFolder(folder, build, waiting) {
  if (isComplete(folder)) return folder;
  return exclusively(
    `${folder}.lock`,
    async () => {
      if (isComplete(folder)) return folder;
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      await build();
      writeFileSync(join(folder, STAMP), `${new Date().toISOString()}\n`);
      return folder;
    },
    waiting,
  );
}

/**
 * Whether a cached folder needs no work.
 * @param {string} folder
 */
export function isComplete(folder) {
  return existsSync(join(folder, STAMP));
}

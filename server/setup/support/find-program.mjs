import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Folders that hold system programs but are often not on an ordinary user's PATH. */
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/**
 * The first of the named programs that is there.
 * @param {...string} names file names, or absolute paths
 * @returns {string | undefined} absolute path
 */
export function findProgram(...names) {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS];
  return names
    .flatMap((name) => (name.startsWith("/") ? [name] : folders.map((folder) => join(folder, name))))
    .find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not ours to run: either way not the program that we look for.
    return false;
  }
}

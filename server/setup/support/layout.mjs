import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Where the repository lies. Found by walking up to our package.json, so that the answer is the same from a
 * source file and from a bundle under out/.
 * @returns {string} absolute path
 */
function findRepository() {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!isRepository(folder)) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new Error(
        `No kernelwright package.json above ${fileURLToPath(import.meta.url)}: run this from a clone.`,
      );
    }
    folder = parent;
  }
  return folder;
}

/** @param {string} folder */
function isRepository(folder) {
  const manifest = join(folder, "package.json");
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === "kernelwright";
}

/** Absolute path of the clone. */
export const repository = findRepository();

/**
 * A path inside the clone.
 * @param {...string} parts
 */
export function inRepository(...parts) {
  return join(repository, ...parts);
}

/**
 * A path inside our cache folder, which lies outside the clone: it holds what is large and can be made again
 * (the Python environment, the browser editor) and is shared by all clones.
 * @param {...string} parts
 */
export function inCache(...parts) {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(base, "kernelwright", ...parts);
}

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { repository } from "../../server/setup/support/layout.mjs";

/**
 * @typedef {object} Lanes
 * @property {string[]} modules that start programs, but only such as are always there: node, git, a shell
 * @property {string[]} tests that reach other modules which start programs, and yet need no tool
 * @property {string[]} slow tests that need no tool, but more than their share of two minutes
 * @property {string[]} longest those that take more than 20 s in a whole run on two cores, the longest first
 */

/** @type {Lanes} */
const { modules, tests, slow, longest } = JSON.parse(
  readFileSync(join(repository, "test", "harness", "lanes.json"), "utf8"),
);

export const longestTests = longest;

/**
 * Test files of the fast lane: they need no nvcc, no torch and no editor. What a file needs follows from what
 * it imports: a tool can only be used by starting a program. `npm test` runs the lane with those tools out of
 * sight, so that a wrong entry in lanes.json shows.
 * @returns {Promise<string[]>} paths relative to the repository, sorted; rejects when lanes.json names a file
 *   that is not there
 */
export async function fastTests() {
  const files = testFiles();
  const gone = [...tests, ...slow, ...longest].filter((file) => !files.includes(file));
  if (gone.length > 0) throw new Error(`test/harness/lanes.json names what is not there: ${gone.join(", ")}`);
  const reached = await importsOf(files);
  return files.filter(
    (file) =>
      !slow.includes(file) &&
      (tests.includes(file) || reached(file).every(({ path, starts }) => !starts || modules.includes(path))),
  );
}

/** All test files but those that need an editor. */
function testFiles() {
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "--", "test/*.test.ts"], {
    cwd: repository,
    encoding: "utf8",
  });
  return [...new Set(stdout.split("\n"))]
    .filter((path) => path !== "" && !/^test\/(editor|e2e|clean-room)\//.test(path))
    .sort();
}

/**
 * @param {string[]} files
 * @returns {Promise<(file: string) => { path: string, starts: boolean }[]>} the modules that a file reaches,
 *   itself among them, and whether each can start programs
 */
async function importsOf(files) {
  const { metafile } = await build({
    absWorkingDir: repository,
    entryPoints: files,
    outdir: join(repository, "out", "lanes"),
    // What files share is written once, which takes a quarter of the time.
    splitting: true,
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  const { inputs } = metafile;
  const importedBy = (/** @type {string} */ path) => inputs[path]?.imports.map((entry) => entry.path) ?? [];
  return (file) => {
    const seen = new Set([file]);
    for (const path of seen) for (const next of importedBy(path)) if (inputs[next]) seen.add(next);
    return [...seen].map((path) => ({ path, starts: importedBy(path).some(startsPrograms) }));
  };
}

/** @param {string} module */
function startsPrograms(module) {
  return module === "node:child_process" || module === "child_process";
}

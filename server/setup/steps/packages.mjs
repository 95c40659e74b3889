import { existsSync, readFileSync } from "node:fs";
import { inRepository } from "../support/layout.mjs";
import { exclusively } from "../support/lock.mjs";
import { PlainFailure, reasonOf, SetupProblem } from "../support/problem.mjs";
import { NPM_OPTIONS, run } from "../support/processes.mjs";

/**
 * npm packages as package-lock.json names them. Scripts of packages are not run: nothing of ours needs them.
 * Of two set-ups of one clone at the same time the second waits, since each would remove what the other has
 * just installed.
 * @param {import("../support/reporter.mjs").Reporter} reporter
 */
export async function ensurePackages(reporter) {
  if (packagesMatchLock()) return;
  await exclusively(
    inRepository("out", "packages.lock"),
    async () => {
      if (!packagesMatchLock()) await reporter.step("npm packages", install);
    },
    reporter.say,
  );
}

/** @param {(line: string) => void} heard */
async function install(heard) {
  try {
    await run("npm", ["ci", "--ignore-scripts", ...NPM_OPTIONS], { cwd: inRepository(), heard });
  } catch (cause) {
    throw new SetupProblem({
      piece: "npm packages",
      reason: reasonOf(cause),
      stillWorks: "nothing yet; with that put right the next start goes on",
      command: "npm ci --ignore-scripts",
      cause,
    });
  }
}

/** Whether node_modules holds what the lock file asks for, by npm's own list of what it installed last. */
function packagesMatchLock() {
  const installed = inRepository("node_modules", ".package-lock.json");
  if (!existsSync(installed)) return false;
  const have = readPackages(installed);
  const want = readPackages(inRepository("package-lock.json"));
  if (!want)
    throw new PlainFailure(
      "package-lock.json cannot be read: restore it with git checkout package-lock.json",
    );
  // npm's own list is cut short when its disk was full: then node_modules cannot be trusted either.
  return (
    have !== undefined &&
    Object.entries(want).every(
      ([path, { version, optional, link }]) =>
        path === "" || optional || link || have[path]?.version === version,
    )
  );
}

/**
 * @param {string} path of a lock file
 * @returns {Record<string, { version?: string, optional?: boolean, link?: boolean }> | undefined} by folder;
 *   undefined when the file is no JSON
 */
function readPackages(path) {
  const text = readFileSync(path, "utf8");
  try {
    return JSON.parse(text).packages ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

import { existsSync, readFileSync } from "node:fs";
import { inRepository } from "../support/layout.mjs";
import { SetupProblem } from "../support/problem.mjs";
import { NPM_OPTIONS, run } from "../support/processes.mjs";

/**
 * npm packages as package-lock.json names them. Scripts of packages are not run: nothing of ours needs them.
 * @param {import("../support/reporter.mjs").Reporter} reporter
 */
export async function ensurePackages(reporter) {
  if (packagesMatchLock()) return;
  await reporter.step("npm packages", async (heard) => {
    try {
      await run("npm", ["ci", "--ignore-scripts", ...NPM_OPTIONS], { cwd: inRepository(), heard });
    } catch (cause) {
      throw new SetupProblem({
        piece: "npm packages",
        reason: String(/** @type {Error} */ (cause).message),
        stillWorks: "nothing yet; with the network back the next start goes on",
        command: "npm ci --ignore-scripts",
        cause,
      });
    }
  });
}

/** Whether node_modules holds what the lock file asks for, by npm's own list of what it installed last. */
function packagesMatchLock() {
  const installed = inRepository("node_modules", ".package-lock.json");
  if (!existsSync(installed)) return false;
  const have = readPackages(installed);
  const want = readPackages(inRepository("package-lock.json"));
  return Object.entries(want).every(
    ([path, { version, optional, link }]) =>
      path === "" || optional || link || have[path]?.version === version,
  );
}

/**
 * @param {string} path of a lock file
 * @returns {Record<string, { version?: string, optional?: boolean, link?: boolean }>} by folder
 */
function readPackages(path) {
  return JSON.parse(readFileSync(path, "utf8")).packages ?? {};
}

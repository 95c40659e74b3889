import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cachedFolder } from "../support/cached-folder.mjs";
import { inCache } from "../support/layout.mjs";
import { run } from "../support/processes.mjs";

/** Environment of pip: no questions, no remarks on its own version, patience with a slow network. */
const PIP = {
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PIP_NO_INPUT: "1",
  PIP_DEFAULT_TIMEOUT: "60",
  PIP_RETRIES: "2",
};

/**
 * Where the environment of a list of requirements lies: in our cache folder, under a name that changes with
 * the list and with the version of Python.
 * @param {string} name first part of the folder's name
 * @param {string} requirements path of the list
 * @param {string} version of Python
 */
export function environmentFolder(name, requirements, version) {
  const fingerprint = createHash("sha256").update(readFileSync(requirements)).update(version).digest("hex");
  return inCache(`${name}-${fingerprint.slice(0, 12)}`);
}

/**
 * Makes a virtual environment with what a list of requirements names, unless it is there.
 * @param {import("../support/reporter.mjs").Reporter} reporter
 * @param {string} title of the step
 * @param {{ folder: string, base: string, requirements: string }} wanted base is the Python to make it with
 * @returns {Promise<string>} the folder
 * @throws {ToolFailure}
 */
export function virtualEnvironment(reporter, title, { folder, base, requirements }) {
  const install = ["-m", "pip", "install", "-r", requirements];
  return cachedFolder(
    folder,
    () =>
      reporter.step(title, async (heard) => {
        await run(base, ["-m", "venv", folder], { heard });
        await run(join(folder, "bin", "python"), install, { env: PIP, heard });
      }),
    reporter.say,
  );
}

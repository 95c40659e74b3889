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

/** Imports what its arguments name. What cannot be imported is told where it is needed. */
const IMPORTS = `
import contextlib, importlib, sys
for name in sys.argv[1:]:
    with contextlib.suppress(Exception):
        importlib.import_module(name)
`;

/** Environment of a Python that keeps the bytecode of what it imports. */
const WRITING = { PYTHONDONTWRITEBYTECODE: undefined };

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
 * @param {{ folder: string, base: string, requirements: string, used?: string[] }} wanted base is the Python to
 *   make it with; used are the modules whose bytecode is worth making at once: of all that torch brings it takes
 *   three times as long, and most of it is never imported. Left out: of everything
 * @returns {Promise<string>} the folder
 * @throws {ToolFailure}
 */
export function virtualEnvironment(reporter, title, { folder, base, requirements, used }) {
  const install = ["-m", "pip", "install", ...(used ? ["--no-compile"] : []), "-r", requirements];
  const python = join(folder, "bin", "python");
  return cachedFolder(
    folder,
    () =>
      reporter.step(title, async (heard) => {
        await run(base, ["-m", "venv", folder], { heard });
        await run(python, install, { env: PIP, heard });
        // Candidates see these folders read-only: what is not made now they make anew each time.
        if (used) await run(python, ["-c", IMPORTS, ...used], { env: WRITING, heard });
      }),
    reporter.say,
  );
}

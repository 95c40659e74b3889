import { join } from "node:path";
import { findProgram } from "../support/find-program.mjs";
import { inRepository } from "../support/layout.mjs";
import { reasonOf, SetupProblem } from "../support/problem.mjs";
import { versionOf } from "./python.mjs";
import { environmentFolder, virtualEnvironment } from "./virtual-environment.mjs";

const REQUIREMENTS = inRepository("server", "setup", "formatters.txt");

/**
 * The formatters of Python and C++, in an environment of their own: a few megabytes, no torch.
 * @param {import("../support/reporter.mjs").Reporter} reporter
 * @returns {Promise<{ ruff: string, clangFormat: string }>} paths
 * @throws {SetupProblem}
 */
export async function ensureFormatters(reporter) {
  const base = findProgram("python3", "python");
  const version = base && versionOf(base);
  if (!base || !version) throw problemOf(new Error("no python3 on PATH"));
  const folder = environmentFolder("formatters", REQUIREMENTS, version);
  const bin = join(folder, "bin");
  try {
    await virtualEnvironment(reporter, "formatters", { folder, base, requirements: REQUIREMENTS });
  } catch (cause) {
    throw problemOf(cause);
  }
  return { ruff: join(bin, "ruff"), clangFormat: join(bin, "clang-format") };
}

/** @param {unknown} cause */
function problemOf(cause) {
  return new SetupProblem({
    piece: "ruff and clang-format",
    reason: reasonOf(cause),
    stillWorks: "everything but the check of the layout of Python and C++",
    command: "sudo apt-get install python3 python3-venv, then npm run format",
    cause,
  });
}

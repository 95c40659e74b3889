import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isComplete } from "../support/cached-folder.mjs";
import { findProgram } from "../support/find-program.mjs";
import { inRepository } from "../support/layout.mjs";
import { isDiskFull, reasonOf, SetupProblem } from "../support/problem.mjs";
import { environmentFolder, virtualEnvironment } from "./virtual-environment.mjs";

/** Oldest Python that the worker's code runs on. */
const OLDEST = Object.freeze({ major: 3, minor: 9 });

const REQUIREMENTS = inRepository("server", "worker", "requirements.txt");

/** What the worker and the programs of its users import of these packages. */
const IMPORTED = [
  ...["torch", "torch._dynamo", "torch._inductor.config", "torch.testing", "torch.utils.cpp_extension"],
  ...["triton", "triton.testing", "triton.experimental.gluon", "numpy", "numpy.testing", "pytest"],
];

/**
 * The Python environment of the worker, with the pinned Triton and torch. Where they cannot be had the
 * machine's own Python does for CUDA work, and the user is told so.
 * @param {import("../support/reporter.mjs").Reporter} reporter
 * @returns {Promise<{ interpreter: string | undefined, triton: boolean }>} interpreter is undefined where
 *   no usable Python is
 */
export async function ensurePython(reporter) {
  const base = findProgram("python3", "python");
  const version = base && versionOf(base);
  if (!base || !version || !isRecent(version)) {
    reporter.warn(
      pythonProblem(
        version
          ? `${base} is Python ${version}, older than ${OLDEST.major}.${OLDEST.minor}`
          : "no python3 on PATH",
      ),
    );
    return { interpreter: undefined, triton: false };
  }
  const folder = environmentFolder("python", REQUIREMENTS, version);
  const interpreter = join(folder, "bin", "python");
  if (isComplete(folder)) return { interpreter, triton: true };
  try {
    const title = "Python environment with Triton and torch (some minutes, once)";
    const wanted = { folder, base, requirements: REQUIREMENTS, used: IMPORTED };
    await virtualEnvironment(reporter, title, wanted);
    return { interpreter, triton: true };
  } catch (error) {
    reporter.warn(tritonProblem(error));
    return { interpreter: base, triton: false };
  }
}

/**
 * The environment of the worker where an earlier set-up has made it; makes nothing.
 * @returns {string | undefined} path of its Python
 */
export function madePython() {
  const base = findProgram("python3", "python");
  const version = base && versionOf(base);
  if (!version) return undefined;
  const folder = environmentFolder("python", REQUIREMENTS, version);
  return isComplete(folder) ? join(folder, "bin", "python") : undefined;
}

/**
 * @param {string} interpreter
 * @returns {string | undefined} as in "3.11.7"
 */
export function versionOf(interpreter) {
  const asked = spawnSync(interpreter, ["-c", "import platform; print(platform.python_version())"], {
    encoding: "utf8",
  });
  return asked.status === 0 ? asked.stdout.trim() : undefined;
}

/** @param {string} version */
function isRecent(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
}

/** @param {string} reason */
function pythonProblem(reason) {
  return new SetupProblem({
    piece: `Python ${OLDEST.major}.${OLDEST.minor} or newer`,
    reason,
    stillWorks: "kernels are found and shown; nothing is compiled or checked",
    command: "sudo apt-get install python3 python3-venv",
  });
}

/** @param {unknown} cause */
function tritonProblem(cause) {
  return new SetupProblem({
    piece: "Triton and torch",
    reason: reasonOf(cause),
    stillWorks:
      "CUDA kernels are found, compiled, checked and optimized; Triton kernels are found but not compiled",
    command: isDiskFull(cause)
      ? "npm start   (tries again; it needs some 3 GB in your cache folder, which XDG_CACHE_HOME can move to another disk)"
      : "npm start   (tries again; it needs a network that reaches the Python package registry)",
    cause,
  });
}

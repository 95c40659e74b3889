import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { OperationalError } from "../../core/base/operational-error";
import { runProcess } from "../process/run-process";

interface NvccQuestion {
  /** A path or a name; empty when the user named none. */
  readonly setting: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly python: string;
  /** Folder with the worker's `__main__.py`. */
  readonly workerFolder: string;
  readonly signal: AbortSignal;
}

const timeLimitMilliseconds = 20_000;
const usual = "/usr/local/cuda/bin/nvcc";

/**
 * Where nvcc is: the setting, KERNELWRIGHT_NVCC, then by the worker's own rule (`find_nvcc`), so that all
 * commands take the same one. That rule begins with PATH, for which no Python is started. Without a Python to
 * ask: the usual place, or whatever `nvcc` means. That there is such a program is not said.
 */
export async function findNvcc({
  setting,
  environment,
  python,
  workerFolder,
  signal,
}: NvccQuestion): Promise<string> {
  const named = setting || environment["KERNELWRIGHT_NVCC"];
  if (named) return named;
  const found = onPath(environment["PATH"] ?? "");
  if (found !== undefined) return found;
  const script = "from kernelwright_worker.compile.tools import find_nvcc; print(find_nvcc())";
  try {
    // What `-c` runs imports from its current folder first: that is never the user's.
    const asked = await runProcess({
      command: python,
      arguments: ["-B", "-c", script],
      folder: workerFolder,
      signal,
      timeLimitMilliseconds,
    });
    if (asked.kind === "exited" && asked.code === 0) return asked.output.trim();
  } catch (thrown) {
    if (!(thrown instanceof OperationalError) || thrown.code !== "tool-missing") throw thrown;
  }
  return existsSync(usual) ? usual : "nvcc";
}

/** The first nvcc of PATH that may be executed. Relative folders are left to the worker, as it sees them. */
function onPath(path: string): string | undefined {
  const folders = path.split(delimiter);
  const firstRelative = folders.findIndex((folder) => !isAbsolute(folder));
  return folders
    .slice(0, firstRelative === -1 ? folders.length : firstRelative)
    .map((folder) => join(folder, "nvcc"))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not for us: the next folder may have one.
    return false;
  }
}

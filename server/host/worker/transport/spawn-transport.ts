import { OperationalError } from "../../../core/base/operational-error";
import { startProcess } from "../../process/start-process";
import { ForkServer } from "./fork-server";
import type { Transport } from "./transport";

export interface SpawnTransportOptions {
  /** Interpreter: the setting `kernelwright.python`, else what the set-up prepared, else `python3`. */
  readonly python: string;
  /** Folder of the worker's files (it holds `__main__.py`). */
  readonly workerFolder: string;
}

/**
 * Environment of every worker on this machine: unbuffered, and no bytecode beside files that we may not write
 * to.
 */
export const workerEnvironment: Readonly<Record<string, string>> = {
  PYTHONDONTWRITEBYTECODE: "1",
  PYTHONUNBUFFERED: "1",
  PYTHONUTF8: "1",
};

/** Workers on this machine. */
export function spawnTransport(options: SpawnTransportOptions): Transport {
  const forks = new ForkServer({ ...options, environment: workerEnvironment });
  return {
    description: "this machine",
    isHere: true,
    program: options.python,
    start: async (role, signal) => {
      const socket = role === "candidate" ? await forks.socket() : undefined;
      return startProcess({
        command: options.python,
        arguments: [options.workerFolder, role, ...(socket === undefined ? [] : [socket])],
        environment: workerEnvironment,
        // The compiler's place is for the build role alone; a candidate learns nothing that it does not need.
        passVariables: role === "build" ? ["KERNELWRIGHT_NVCC", "TRITON_PTXAS_PATH"] : [],
        signal,
      }).catch((thrown: unknown) => {
        throw withoutPython(thrown, options.python);
      });
    },
    startProgram: (words, environment, signal) =>
      startProcess({
        command: options.python,
        arguments: ["-I", "-S", options.workerFolder, "program", ...words],
        environment,
        signal,
      }).catch((thrown: unknown) => {
        throw withoutPython(thrown, options.python);
      }),
    startTimed: (python, words, environment) =>
      startProcess({
        command: python,
        arguments: [options.workerFolder, "timed", ...words],
        environment: { ...workerEnvironment, ...environment },
      }).catch((thrown: unknown) => {
        throw withoutPython(thrown, python);
      }),
    close: () => forks.close(),
  };
}

function withoutPython(thrown: unknown, python: string): unknown {
  if (!(thrown instanceof OperationalError) || thrown.code !== "tool-missing") return thrown;
  return new OperationalError("tool-missing", {
    forUser: `there is no Python at "${python}": compiling and checking need Python 3.8 or newer. Set kernelwright.python or install it`,
    remedy: "apt-get install python3",
    cause: thrown,
  });
}

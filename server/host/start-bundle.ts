import { join } from "node:path";
import { setEnvironmentData } from "node:worker_threads";
import { assetPath } from "./assets";
import { environmentAsIs } from "./process/own-environment";
import { CodeCache } from "./start/code-cache";
import { allowFusedArithmetic, putOffEngineWork } from "./start/engine-flags";
import type * as programs from "./programs";
import { keepOnceStarted } from "./start/keep-code";
import { codeFolderForThreads, runBundle } from "./start/run-bundle";
import { cacheFolder } from "./toolchain/find-python";

/** The bundle of the language server and the command line. */
const bundle = "programs.js";

/**
 * Runs the bundle of programs that lies beside this one, and its threads, with the code of an earlier start
 * of the same program where it was kept. Gives the programs.
 */
export function startPrograms(program: "language-server" | "command-line"): typeof programs {
  const folder = join(cacheFolder(environmentAsIs()), "code");
  setEnvironmentData(codeFolderForThreads, folder);
  const cache = new CodeCache(folder);
  return runBundle(assetPath(bundle), { program, cache, keepLater: keepOnceStarted }) as typeof programs;
}

/**
 * Runs the program of a command. Its flags are set before: its threads will ask for them soon, and code is
 * kept for the next start under the flags of this one.
 */
export function startCommand(): void {
  putOffEngineWork();
  allowFusedArithmetic();
  startPrograms("command-line").runCommandLine();
}

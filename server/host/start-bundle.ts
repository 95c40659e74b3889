import { join } from "node:path";
import { setEnvironmentData } from "node:worker_threads";
import { assetPath } from "./assets";
import { environmentAsIs } from "./process/own-environment";
import { CodeCache } from "./start/code-cache";
import { allowFusedArithmetic, optimizeLater } from "./start/engine-flags";
import { keepOnceStarted } from "./start/keep-code";
import { codeFolderForThreads, runBundle } from "./start/run-bundle";
import { cacheFolder } from "./toolchain/find-python";

/**
 * Runs a program of ours that lies beside this one, and its threads, with the code of an earlier start where
 * it was kept. Gives what the program exports.
 */
export function startBundle(name: string): object {
  const folder = join(cacheFolder(environmentAsIs()), "code");
  setEnvironmentData(codeFolderForThreads, folder);
  return runBundle(assetPath(name), { cache: new CodeCache(folder), keepLater: keepOnceStarted });
}

/**
 * Runs the program of a command. Its flags are set before: its threads will ask for them soon, and code is
 * kept for the next start under the flags of this one.
 */
export function startCommand(name: string): void {
  optimizeLater();
  allowFusedArithmetic();
  startBundle(name);
}

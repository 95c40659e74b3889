import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getEnvironmentData } from "node:worker_threads";
import { CodeCache } from "./code-cache";
import { allowFusedArithmetic } from "./engine-flags";
import { keepOnceBusy } from "./keep-code";
import { codeFolderForThreads, runBundle } from "./run-bundle";

/**
 * Runs a bundle that lies beside the one which calls this, in a thread, as `runBundle` does. The program of
 * the thread tells it where code is kept; otherwise none is. Kernels are compiled in such threads alone.
 */
export function runInThread(name: string): void {
  allowFusedArithmetic();
  const folder = getEnvironmentData(codeFolderForThreads);
  const cache = typeof folder === "string" ? new CodeCache(folder) : undefined;
  const path = join(dirname(fileURLToPath(import.meta.url)), name);
  runBundle(path, { cache, keepLater: keepOnceBusy });
}

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getEnvironmentData } from "node:worker_threads";
import { CodeCache } from "./code-cache";
import { keepOnceBusy } from "./keep-code";
import { codeFolderForThreads, runBundle } from "./run-bundle";

/**
 * Runs a bundle that lies beside the one which calls this, in a thread, as `runBundle` does. The program of
 * the thread tells it where code is kept; otherwise none is.
 */
export function runInThread(name: string): void {
  const folder = getEnvironmentData(codeFolderForThreads);
  const cache = typeof folder === "string" ? new CodeCache(folder) : undefined;
  const path = join(dirname(fileURLToPath(import.meta.url)), name);
  runBundle(path, { cache, keepLater: keepOnceBusy });
}

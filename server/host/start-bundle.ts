import { join } from "node:path";
import { assetPath } from "./assets";
import { environmentAsIs } from "./process/own-environment";
import { CodeCache } from "./start/code-cache";
import { runBundle } from "./start/run-bundle";
import { cacheFolder } from "./toolchain/find-python";

/** Runs a program of ours that lies beside this one, with the code of an earlier start where it was kept. */
export function startBundle(name: string): void {
  runBundle(assetPath(name), new CodeCache(join(cacheFolder(environmentAsIs()), "code")));
}

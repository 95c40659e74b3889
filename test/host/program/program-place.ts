import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inCache } from "../../../server/setup/support/layout.mjs";

/** Where a test file runs programs: a folder, caches and temporary files of its own. */
export interface ProgramPlace {
  readonly folder: string;
  /** Must be empty again when a program has ended. */
  readonly scratch: string;
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

/**
 * Makes the place. Compiled programs are its own, so that each test compiles what it runs. The runtime
 * library is shared: compiling it takes as long as ten programs, and its name holds a digest of its sources
 * and of the compiler.
 */
export function makeProgramPlace(name: string): ProgramPlace {
  const folder = mkdtempSync(join(tmpdir(), `kernelwright-${name}-`));
  const [cache, scratch] = [join(folder, "cache"), join(folder, "scratch")];
  for (const path of [join(cache, "kernelwright"), scratch, inCache("runtime")])
    mkdirSync(path, { recursive: true });
  symlinkSync(inCache("runtime"), join(cache, "kernelwright", "runtime"));
  return {
    folder,
    scratch,
    environment: { XDG_CACHE_HOME: cache, TMPDIR: scratch },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

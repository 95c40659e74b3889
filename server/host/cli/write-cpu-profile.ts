import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { OperationalError } from "../../core/base/operational-error";
import type { ProgramResult } from "../../core/ports/program-runner";
import type { GpuModel } from "../../core/timing/gpu-model";
import { cpuProfileOf } from "../../core/words/cpu-profile";
import { summarizeProfile } from "../../core/words/profile";

/**
 * Writes what a program's lines cost on a GPU, for tools that show CPU profiles. Throws `disk-failed` where
 * the file cannot be written.
 */
export async function writeCpuProfile(
  file: string,
  { kernels }: Extract<ProgramResult, { kind: "ran" }>,
  { folder, gpu }: { readonly folder: string; readonly gpu: GpuModel },
): Promise<void> {
  const profile = cpuProfileOf(
    kernels.map((kernel) => summarizeProfile(kernel, gpu)),
    (source) => pathToFileURL(resolve(folder, source)).toString(),
  );
  try {
    await writeFile(file, `${JSON.stringify(profile)}\n`);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OperationalError("disk-failed", {
      forUser: `The CPU profile could not be written to ${file}: ${why}. Name another file with --cpuprofile.`,
      cause,
    });
  }
}

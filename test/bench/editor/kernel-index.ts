import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../../server/setup/support/find-program.mjs";
import { run } from "../../../server/setup/support/processes.mjs";
import { LanguageClient } from "../../harness/language-client";
import { type Measurement, rounded } from "../bench";
import { medianTime } from "./limits";

const files = 20_000;
const filesInFolder = 200;
/** One file of so many holds a kernel. */
const sparsity = 40;
const runs = 5;
/** How much longer than ripgrep's search for the same words it may take. */
const goal = 3;

/** The kernels of a large project, beside a search for the word that stands in front of each. */
export async function kernelIndexMeasurements(): Promise<readonly Measurement[]> {
  const ripgrep = findProgram("rg");
  const folder = await mkdtemp(join(tmpdir(), "kernelwright-index-"));
  try {
    await writeProject(folder);
    // Sessions of whoever measures are none of the project's.
    const environment = { KERNELWRIGHT_SESSIONS: join(folder, ".sessions") };
    const client = await LanguageClient.start({ folder, trusted: true, environment });
    try {
      const first = performance.now();
      const found = await client.request("kernelwright/workspaceKernels", {});
      const cold = performance.now() - first;
      if (found.length !== files / sparsity)
        throw new Error(`${found.length} kernels were found of ${files / sparsity}`);
      const ours = await medianTime(runs, () => client.request("kernelwright/workspaceKernels", {}));
      const metric = `kernels of ${files} files, first time`;
      const again = `the same again, median of ${runs}`;
      if (ripgrep === undefined)
        return [
          { metric, value: rounded(cold), unit: "ms", versus: "rg is not on this machine" },
          { metric: again, value: rounded(ours), unit: "ms" },
        ];
      const peer = await medianTime(runs, () =>
        run(ripgrep, ["--count", "-e", "__global__", "-e", "jit", "."], { cwd: folder }),
      );
      const beside = (value: number): Pick<Measurement, "value" | "unit" | "versus" | "ratio"> => ({
        value: rounded(value),
        unit: "ms",
        versus: `rg for the same words, ${rounded(peer)} ms (goal ${goal})`,
        ratio: rounded(value / peer),
      });
      return [
        { metric, ...beside(cold) },
        { metric: again, ...beside(ours) },
      ];
    } finally {
      await client.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeProject(folder: string): Promise<void> {
  for (let start = 0; start < files; start += filesInFolder) {
    const part = join(folder, `part${start / filesInFolder}`);
    await mkdir(part);
    await Promise.all(
      Array.from({ length: filesInFolder }, (_, index) =>
        writeFile(join(part, `unit${index}.cu`), fileText(start + index)),
      ),
    );
  }
}

/** About 2 KB of a library's host code; in one file of many a kernel stands at its end. */
function fileText(index: number): string {
  const host = Array.from(
    { length: 40 },
    (_, line) => `static int helper_${line}(int value) { return value * ${line} + ${index}; }`,
  );
  const kernel = `__global__ void scale_${index}(float* data, int n) {\n  if (threadIdx.x < n) data[threadIdx.x] *= 2.0f;\n}`;
  return [...host, ...(index % sparsity === 0 ? [kernel] : []), ""].join("\n");
}

import { inRepository } from "../../server/setup/support/layout.mjs";
import { run } from "../../server/setup/support/processes.mjs";
import { copySamples } from "../harness/editor-host";
import { type Bench, type Measurement, quantile, rounded } from "./bench";

/** One kernel of each language, both with several shapes. */
const KERNELS = [
  { language: "CUDA", file: "transpose.cu" },
  { language: "Triton", file: "vector_add.py" },
];

/** Runs that are measured, after one that fills the caches. */
const RUNS = 3;

/** From the command on a terminal to the verdict on the kernel as it is. */
export const firstVerdictBench: Bench = {
  name: "first-verdict",
  run: async () => {
    const samples = copySamples();
    try {
      const measurements: Measurement[] = [];
      for (const { language, file } of KERNELS) {
        const times = await measuredRuns(samples.folder, file);
        measurements.push({
          metric: `${language}: command to first verdict, warm, median of ${RUNS}`,
          value: rounded(quantile(times, 0.5)),
          unit: "s",
        });
      }
      return measurements;
    } finally {
      samples.remove();
    }
  },
};

async function measuredRuns(folder: string, file: string): Promise<number[]> {
  const times: number[] = [];
  for (let attempt = 0; attempt <= RUNS; attempt += 1) {
    const started = performance.now();
    await run(process.execPath, [inRepository("dist", "kernelwright.js"), "check", file, "--json"], {
      cwd: folder,
    });
    times.push((performance.now() - started) / 1000);
  }
  return times.slice(1);
}

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HelperTeam } from "../../server/host/worker/gpu/launch-team";
import type { LaunchJob } from "../../server/host/worker/gpu/virtual-gpu";
import { JobRunner } from "../../server/host/worker/gpu/vgpu-job";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { run } from "../../server/setup/support/processes.mjs";
import { type Measurement, rounded } from "./bench";

const size = 512;
const attempts = 5;

function matmulJob(ptx: string): LaunchJob {
  const values = Float32Array.from({ length: size * size }, (_, index) => ((index * 37) % 101) / 101 - 0.5);
  const bytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(values.slice().buffer);
  return {
    ptx,
    entry: "matmul",
    grid: [size / 16, size / 16, 1],
    block: [16, 16, 1],
    dynamicSharedBytes: 0,
    counters: false,
    detectors: false,
    buffers: [
      { name: "a", bytes: bytes(), readOnly: true },
      { name: "b", bytes: bytes(), readOnly: true },
      { name: "c", bytes: new Uint8Array(4 * size * size), readOnly: false },
    ],
    arguments: [
      ...[0, 1, 2].map((buffer) => ({ kind: "pointer" as const, buffer, offset: 0 })),
      { kind: "scalar" as const, bytes: new Uint8Array(Int32Array.of(size).buffer) },
    ],
  };
}

/** Best wall-clock time of a job in seconds, after a first run that compiles. */
async function secondsOf(runner: JobRunner, job: LaunchJob): Promise<number> {
  let best = Infinity;
  for (let attempt = 0; attempt <= attempts; attempt += 1) {
    const start = performance.now();
    const result = await runner.run(job);
    if (result.kind !== "done") throw new Error(`the bench kernel ended as ${result.kind}`);
    if (attempt > 0) best = Math.min(best, (performance.now() - start) / 1000);
  }
  return best;
}

/**
 * A product of 512 × 512 matrices by 1,024 blocks: one thread against two. Needs two cores that are idle to
 * mean something.
 */
export async function measureThreads(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-threads-"));
  const team = new HelperTeam(inRepository("dist", "vgpu-thread.js"), 1);
  try {
    const output = join(folder, "peers.ptx");
    await run("nvcc", [
      "-ptx",
      "-arch=sm_80",
      "-o",
      output,
      inRepository("test", "bench", "peers", "peers.cu"),
    ]);
    const job = matmulJob(readFileSync(output, "utf8"));
    const one = await secondsOf(new JobRunner(), job);
    const two = await secondsOf(new JobRunner(team), job);
    return [
      { metric: "matmul of 512 × 512, CUDA, one thread", value: rounded(1000 * one), unit: "ms" },
      {
        metric: "the same on two threads: times faster",
        value: rounded(one / two),
        unit: "×",
        versus: "the goal of 1.7",
        ratio: rounded(one / two / 1.7),
      },
    ];
  } finally {
    await team.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

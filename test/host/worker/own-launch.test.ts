import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile, summary } from "./evaluation-under-test";

const under = evaluatorOfFile({ limits: { runSeconds: 5 } });

/** A kernel of which no source says how it is launched: what stands in the spec was found out. */
const spec: KernelSpec = {
  file: "lengths.cu",
  kernel: "lengths",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      ...{ grid: ["ceil_div(rows, 64)"], block: [64] },
      arguments: ["m", "out", { value: "rows", dtype: "int32" }, { value: "columns", dtype: "int32" }],
    },
  },
  inputs: { m: { dtype: "float32", shape: ["rows * columns"] } },
  outputs: { out: { dtype: "float32", shape: ["rows"] } },
  shapes: [{ sizes: { rows: 100, columns: 40 } }, { sizes: { rows: 7, columns: 3 }, heldOut: true }],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
  origins: { "launch.grid": "probed", "launch.block": "probed" },
};

const helper = "static int unused(int n) { return n + 1; }\n";
const bare = `${helper}__global__ void lengths(const float* m, float* out, int rows, int columns) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += m[r * columns + c] * m[r * columns + c];
  out[r] = sqrtf(sum);
}
`;
const byWarps = `${helper}__global__ void lengths(const float* m, float* out, int rows, int columns) {
  int lane = threadIdx.x % 32, r = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int c = lane; c < columns; c += 32) sum += m[r * columns + c] * m[r * columns + c];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) out[r] = sqrtf(sum);
}
`;

const launcher = (grid: string, parameters = "const float* m, float* out, int count, int width"): string => `
// How lengths is launched.
inline void launch_lengths(${parameters}, cudaStream_t stream = nullptr) {
  lengths<<<${grid}, 64, 0, stream>>>(m, out, count, width);
}
`;

async function check(candidate: string, changes: Partial<KernelSpec> = {}): Promise<unknown> {
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, ...changes },
    baseline: { "lengths.cu": bare },
    candidate: { "lengths.cu": candidate },
  });
  return summary(checked);
}

const shape = { sizes: { rows: 100, columns: 40 } };

test("a candidate of a bare kernel may bring the launch that it needs", async () => {
  const passed = [
    { ...shape, passed: true },
    { ...shape, passed: true },
  ];
  expect(await check(byWarps + launcher("(count + 1) / 2"))).toEqual(passed);
  // A launch of too few threads leaves rows out, whatever the spec says.
  expect(await check(byWarps + launcher("(count + 63) / 64"))).toMatchObject([
    { passed: false },
    { passed: false },
  ]);
});

test("what is no plain launch is host code that nobody runs", async () => {
  const refused = { kind: "refused" };
  const { run } = spec;
  const swapped = launcher("count / 2 + 1", "float* out, const float* m, int count, int width");
  expect(await check(byWarps + swapped)).toMatchObject(refused);
  const more = launcher("count / 2 + 1").replace("  lengths<<<", "  count += 1;\n  lengths<<<");
  expect(await check(byWarps + more)).toMatchObject(refused);
  const beside = byWarps.replace("n + 1", "n + 2") + launcher("count / 2 + 1");
  expect(await check(beside)).toMatchObject(refused);
  // The user's own launch stays.
  const { origins: _origins, ...stated } = spec;
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...stated, run },
    baseline: { "lengths.cu": bare },
    candidate: { "lengths.cu": byWarps + launcher("count / 2 + 1") },
  });
  expect(summary(checked)).toMatchObject(refused);
});

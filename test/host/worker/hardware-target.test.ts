import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";
import { KeptErrors } from "../../../server/host/worker/hardware/model-errors/kept-errors";
import { standIn, virtualRuntime } from "./virtual-runtime";

const folder = mkdtempSync(join(tmpdir(), "kernelwright-model-errors-"));
afterAll(() => rmSync(folder, { recursive: true }));
const modelErrors = new KeptErrors(join(folder, "kept", "model-errors.json"));
const under = evaluatorOfFile({ gpuRuntime: virtualRuntime, modelErrors });
const target = { kind: "gpu", index: 0, architecture: "sm_80" } as const;

const spec: KernelSpec = {
  file: "copy.cu",
  kernel: "copy",
  dialect: "cuda",
  run: {
    kind: "entry",
    entry: { call: "copy.cu::run", arguments: ["x", "y", { value: "n", dtype: "int32" }] },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 4096 } }],
  reference: { kind: "expression", expressions: { y: "2 * x" } },
  objective: "modelled-bound",
};
const alone: KernelSpec = {
  ...spec,
  run: {
    kind: "launch",
    launch: { grid: ["n / 256"], block: [256], arguments: ["x", "y", { value: "n", dtype: "int32" }] },
  },
};

/** The same result, with so many additions on the way there. */
const copy = (additions: number): string => `
__global__ void copy(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = x[i];
  for (int k = 1; k < ${additions}; k++) sum += k * x[i] - k * x[i];
  if (i < n) y[i] = sum + x[i];
}
void run(const float* x, float* y, int n) { copy<<<n / 256, 256>>>(x, y, n); }
`;

test.each([
  ["by its host function", spec],
  ["alone", alone],
])("a kernel that is launched %s is timed against its baseline", async (_, judged) => {
  const { checked, held } = await evaluate(under.evaluator, {
    spec: judged,
    baseline: { "copy.cu": copy(400) },
    candidate: { "copy.cu": copy(1) },
    target,
    tier: "quick",
    checkOnly: true,
  });
  expect(checked).toMatchObject({
    kind: "checked",
    measured: {
      ...{ origin: "measured", before: standIn, kind: "faster" },
      modelError: { ...{ sizes: { n: 4096 }, cache: "cold", by: "simulation" } },
      modelErrors: { count: 1 },
    },
  });
  expect(held).toBeGreaterThan(1000);
  const error = checked?.kind === "checked" ? checked.measured?.modelError : undefined;
  const { ratio = 0, modelledNanoseconds = 1, launchNanoseconds = 0 } = error ?? {};
  // The stand-in's times are modelled ones, without a launch: the model is not far off.
  expect((ratio * (modelledNanoseconds + launchNanoseconds)) / modelledNanoseconds).toBeCloseTo(1, 0);
});

test("variables of the module hold what each call is given, and what the kernel leaves in them is compared", async () => {
  const inModule = (total: string): string => `
__constant__ float factors[2];
static __device__ float total;
__global__ void copy(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factors[0] * x[i] + factors[1];
  if (i == 0) total = ${total};
}
`;
  const { checked } = await evaluate(under.evaluator, {
    spec: {
      ...alone,
      run: {
        kind: "launch",
        launch: {
          ...{ grid: ["n / 256"], block: [256], symbols: ["factors", "total"] },
          arguments: ["x", "y", { value: "n", dtype: "int32" }],
        },
      },
      inputs: { ...alone.inputs, factors: { dtype: "float32", shape: [2] } },
      outputs: { ...alone.outputs, total: { dtype: "float32", shape: [1] } },
      reference: {
        kind: "expression",
        expressions: { y: "factors[0] * x + factors[1]", total: "factors[0:1] + x[0:1]" },
      },
    },
    baseline: { "copy.cu": inModule("factors[0] + x[0]") },
    candidate: { "copy.cu": inModule("x[0] + factors[0]") },
    target,
    tier: "quick",
    checkOnly: true,
  });
  expect(checked).toMatchObject({ kind: "checked", measured: { kind: "no difference found" } });
});

test("variables that are filled before a host function is called are filled before each timed call, too", async () => {
  const filled = (additions: number): string =>
    copy(additions)
      .replace("__global__", "__constant__ float factor[1];\n__constant__ int count;\n__global__")
      .replace("i < n", "i < count")
      .replace("sum + x[i]", "factor[0] * (sum + x[i])");
  const { checked } = await evaluate(under.evaluator, {
    spec: {
      ...spec,
      run: {
        kind: "entry",
        entry: {
          ...{ call: "copy.cu::run", arguments: ["x", "y", { value: "n", dtype: "int32" }] },
          symbols: ["factor", { symbol: "count", with: { value: "n", dtype: "int32" } }],
        },
      },
      inputs: { ...spec.inputs, factor: { dtype: "float32", shape: [1] } },
      reference: { kind: "expression", expressions: { y: "2 * x * factor" } },
    },
    baseline: { "copy.cu": filled(400) },
    candidate: { "copy.cu": filled(1) },
    target,
    tier: "quick",
    checkOnly: true,
  });
  expect(checked).toMatchObject({ kind: "checked", measured: { origin: "measured", kind: "faster" } });
});

import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

/** A sum into which each thread adds by itself is rounded so often that it is off; better ones are right. */
const under = evaluatorOfFile();

const spec: KernelSpec = {
  file: "total.cu",
  kernel: "total",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      grid: ["ceil_div(n, 256)", 1, 1],
      block: [256, 1, 1],
      sharedBytes: 0,
      arguments: ["x", "sum", { value: "n", dtype: "int32" }],
    },
  },
  inputs: {
    x: { dtype: "float32", shape: ["n"], distribution: { kind: "range", low: 0.5, high: 2 } },
    sum: { dtype: "float32", shape: [1] },
  },
  outputs: { sum: { dtype: "float32", shape: [1] } },
  shapes: [{ sizes: { n: 200_000 } }],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

/** The first number is so large that others, added one by one, are lost beside it. */
const value = "x[i] * (i == 0 ? 1.0e8f : 1.0f)";
const kernel = (added: string): string => `
__global__ void total(const float* x, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float part = i < n ? ${value} : 0.0f;
  ${added}
}
`;
const baseline = kernel("if (i < n) atomicAdd(sum, part);");
const byWarps = (more: string): string =>
  kernel(`for (int step = 16; step > 0; step /= 2) part += __shfl_xor_sync(0xffffffffu, part, step);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, part${more});`);

test.each([
  {
    what: "sums of warps, which lose less",
    candidate: byWarps(""),
    passed: true,
    remarks: [expect.stringMatching(/^The original adds up so many numbers atomically/)],
  },
  {
    what: "the same sums",
    candidate: baseline.replace("part = ", "part = 1.0f * "),
    passed: true,
    remarks: [],
  },
  { what: "sums of warps that are too large", candidate: byWarps(" * 1.01f"), passed: false, remarks: [] },
])("$what", async ({ candidate, passed, remarks }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec,
    baseline: { "total.cu": baseline },
    candidate: { "total.cu": candidate },
  });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  expect({
    passed: checked.cases.every((each) => each.passed),
    remarks: [...new Set(checked.cases.flatMap((each) => each.remarks ?? []))],
  }).toEqual({ passed, remarks });
});

import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

/** Few elements that rounding alone decides are held against no version; as many that are wrong are. */
const under = evaluatorOfFile();

const count = 200_000;
const kernel = (value: string): string => `
__global__ void quantise(const float* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = ${value};
}
`;
const baseline = kernel("__float2int_rd(x[i] * 700.0f / 0.3f)");

const spec: KernelSpec = {
  file: "quantise.cu",
  kernel: "quantise",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      grid: ["ceil_div(n, 256)", 1, 1],
      block: [256, 1, 1],
      sharedBytes: 0,
      arguments: ["x", "y", { value: "n", dtype: "int32" }],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["n"], distribution: { kind: "range", low: 0, high: 1.5 } } },
  outputs: { y: { dtype: "int32", shape: ["n"] } },
  shapes: [{ sizes: { n: count } }],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

test.each([
  {
    what: "a product with the reciprocal",
    value: "__float2int_rd(x[i] * (700.0f / 0.3f))",
    passed: true,
    remarks: [expect.stringMatching(/^Rounding decides a few elements/)],
  },
  {
    what: "the same in another form",
    value: "__float2int_rd((x[i] * 700.0f) / 0.3f)",
    passed: true,
    remarks: [],
  },
  {
    what: "one more in every hundredth element",
    value: "__float2int_rd(x[i] * 700.0f / 0.3f) + (i % 100 == 7)",
    passed: false,
    remarks: [],
  },
  {
    what: "to the nearest in every hundredth element",
    value: "i % 100 == 7 ? __float2int_rn(x[i] * 700.0f / 0.3f) : __float2int_rd(x[i] * 700.0f / 0.3f)",
    passed: false,
    remarks: [],
  },
])("$what", async ({ value, passed, remarks }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec,
    baseline: { "quantise.cu": baseline },
    candidate: { "quantise.cu": kernel(value) },
  });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  expect({
    passed: checked.cases.every((each) => each.passed),
    remarks: [...new Set(checked.cases.flatMap((each) => each.remarks ?? []))],
  }).toEqual({ passed, remarks });
});

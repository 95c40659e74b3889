import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

/** Whole numbers of all bits are held against a version where more than rounding decides the results. */
const under = evaluatorOfFile();

const spec: KernelSpec = {
  file: "turn.cu",
  kernel: "turn",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      grid: ["ceil_div(n, 128)", 1, 1],
      block: [128, 1, 1],
      sharedBytes: 0,
      arguments: ["position", "out", { value: "n", dtype: "int32" }],
    },
  },
  inputs: { position: { dtype: "int32", shape: ["n"], distribution: "integers" } },
  outputs: { out: { dtype: "float32", shape: ["n", 16] } },
  shapes: [{ sizes: { n: 1000 } }, { sizes: { n: 77 }, heldOut: true }],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

const kernel = (first: string, value: string, next = ""): string => `
__global__ void turn(const int* position, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  ${first}
  for (int k = 0; k < 16; ++k) {
    out[i * 16 + k] = ${value};
    ${next}
  }
}
`;
const angles = kernel("", "cosf(position[i] * powf(0.7f, k))");
const lengths = kernel("", "position[i] * powf(0.7f, k)");

test.each([
  {
    what: "a power that is carried on, under a cosine",
    baseline: angles,
    candidate: kernel("float power = 1.0f;", "cosf(position[i] * power)", "power *= 0.7f;"),
    passed: true,
  },
  {
    what: "a power that is carried on",
    baseline: lengths,
    candidate: kernel("float power = 1.0f;", "position[i] * power", "power *= 0.7f;"),
    passed: true,
  },
  {
    what: "positions of eight bits",
    baseline: lengths,
    candidate: kernel("", "(signed char)position[i] * powf(0.7f, k)"),
    passed: false,
  },
])("$what", async ({ baseline, candidate, passed }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec,
    baseline: { "turn.cu": baseline },
    candidate: { "turn.cu": candidate },
    tier: "full",
  });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  expect(checked.cases.every((each) => each.passed)).toBe(passed);
});

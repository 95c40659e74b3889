import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

const source = `__global__ void doubled(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}
`;
const spec: KernelSpec = {
  file: "doubled.cu",
  kernel: "doubled",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      grid: ["ceil_div(n, 256)"],
      block: [256],
      arguments: ["x", "y", { value: "n", dtype: "int32" }],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [],
  reference: { kind: "expression", expressions: { y: "2 * x" } },
  objective: "modelled-bound",
};

const under = evaluatorOfFile();

test("the price is that of all shapes, each as often as it is run, where that is known", async () => {
  const [small, large] = [{ sizes: { n: 1000 } }, { sizes: { n: 1_000_000 } }];
  const bounds: number[] = [];
  for (const shapes of [[small], [large], [small, large], [{ ...small, weight: 2 }, large]]) {
    const { checked } = await evaluate(under.evaluator, {
      spec: { ...spec, shapes },
      baseline: { "doubled.cu": source },
    });
    bounds.push(checked.kind === "checked" ? (checked.bound?.nanoseconds ?? 0) : 0);
  }
  const [ofSmall = 0, ofLarge = 0, ...others] = bounds;
  expect(ofLarge).toBeGreaterThan(ofSmall);
  expect(others).toEqual([ofSmall, 2 * ofSmall + ofLarge]);
});

import { expect, test } from "vitest";
import type { CheckRequest } from "../../../server/core/ports/evaluator";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

const { evaluator } = evaluatorOfFile();

/** Chains of `turns` sums, which end differently in the block that `wrong` says. */
const chains = (turns: string, wrong = "false"): string => `
__global__ void chains(const float* x, float* y, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int turn = 0; turn < ${turns}; ++turn) sum = sum * 0.5f + x[i];
  y[i] = ${wrong} ? 0 : sum;
}
`;

const spec: KernelSpec = {
  file: "chains.cu",
  kernel: "chains",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      grid: ["ceil_div(n, 128)"],
      block: [128],
      arguments: ["x", "y", { value: "n", dtype: "int32" }, { value: "turns", dtype: "int32" }],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 1000, turns: 20 } }, { sizes: { n: 77, turns: 30 } }],
  pricedAt: { n: 16_384, turns: 20 },
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

test.each<
  readonly [title: string, candidate: string, tier: CheckRequest["tier"], passed: readonly boolean[]]
>([
  ["a quick check prices it there alone", chains("turns"), "quick", [true, true]],
  ["what goes wrong there passes a quick check", chains("turns", "n > 9000"), "quick", [true, true]],
  ["what goes wrong there fails a full check", chains("turns", "n > 9000"), "full", [false]],
])("a kernel with a price at a larger size: %s", async (_, candidate, tier, passed) => {
  const { checked } = await evaluate(evaluator, {
    ...{ spec, tier, baseline: { "chains.cu": chains("turns") }, candidate: { "chains.cu": candidate } },
  });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  const atPrice = checked.cases.filter(({ shape }) => shape.sizes["n"] === 16_384);
  const cases = tier === "quick" ? checked.cases : atPrice;
  expect(cases.map((each) => each.passed)).toEqual(passed);
  // Where a case fails nothing is priced at larger sizes.
  const priced = passed.includes(false) ? spec.shapes[0]?.sizes : spec.pricedAt;
  expect(checked.profiledShape.sizes).toEqual(priced);
});

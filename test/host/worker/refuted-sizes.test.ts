import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

const under = evaluatorOfFile();

const spec: KernelSpec = {
  file: "scale.cu",
  kernel: "scale",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      grid: ["ceil_div(n, 64)"],
      block: [64],
      arguments: ["x", "y", { value: "n", dtype: "int32" }],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

const scaleWith = (body: string): string => `__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ${body}
}
`;

test.each([
  [
    "no guard, and listed sizes that need none",
    { body: "y[i] = 3.0f * x[i] + 1.0f;", n: 128 },
    { sizes: { n: 1 }, unlike: [{ size: "n", step: 128 }], block: [0, 0, 0], thread: [1, 0, 0] },
  ],
  [
    "a guard that is one too wide, on the listed size",
    { body: "if (i <= n) y[i] = 3.0f * x[i] + 1.0f;", n: 1000 },
    { sizes: { n: 8 }, block: [0, 0, 0], thread: [8, 0, 0] },
  ],
] as const)(
  "what no launch may do for any size is refuted by a launch: %s",
  async (_, { body, n }, witness) => {
    const { checked } = await evaluate(under.evaluator, {
      spec: { ...spec, shapes: [{ sizes: { n } }] },
      baseline: { "scale.cu": scaleWith(body) },
      tier: "full",
    });
    const answers = "proofs" in checked ? (checked.proofs ?? []).flatMap(({ answers: own }) => own) : [];
    expect(answers).toMatchObject([
      { question: "in-bounds", outcome: "refuted", file: "scale.cu", line: 3, witness },
      { question: "aligned", outcome: "proved" },
    ]);
  },
);

test("a version that loses bounds which the original is shown to keep says so, where no size shows it", async () => {
  const baseline = scaleWith("if (i < n) y[i] = 3.0f * x[i] + 1.0f;");
  // Half a gigabyte in, the byte's number is out of its bits.
  const candidate = scaleWith(
    "unsigned at = (i * 8u) / 2u;\n  if (i < n) *(float*)((char*)y + at) = 3.0f * *(const float*)((const char*)x + at) + 1.0f;",
  );
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, shapes: [{ sizes: { n: 1000 } }] },
    baseline: { "scale.cu": baseline },
    candidate: { "scale.cu": candidate },
    tier: "full",
  });
  const remarks = "cases" in checked ? checked.cases.flatMap((each) => each.remarks ?? []) : [];
  expect(remarks).toEqual([
    expect.stringMatching(/stay in bounds for all sizes, this version is not \(scale\.cu:4:/),
  ]);
});

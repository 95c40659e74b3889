import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile, summary } from "./evaluation-under-test";

const under = evaluatorOfFile({ limits: { runSeconds: 5 } });

const spec: KernelSpec = {
  file: "total.cu",
  kernel: "parts",
  dialect: "cuda",
  run: {
    kind: "entry",
    entry: {
      call: "total.cu::sum",
      arguments: ["values", "partial", "total", { value: "n", dtype: "int32" }],
      scratch: { partial: { dtype: "int32", shape: [8] } },
    },
  },
  inputs: { values: { dtype: "int32", shape: ["n"], distribution: "integers" } },
  outputs: { total: { dtype: "int32", shape: [1] } },
  shapes: [{ sizes: { n: 1000 } }],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

function summing(blocks: number, read = blocks, stream = "0"): string {
  return `__global__ void parts(const int* values, int* partial, int n) {
  int sum = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) sum += values[i];
  sum = __reduce_add_sync(0xffffffffu, sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}
__global__ void finish(const int* partial, int* total, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += partial[i];
  total[0] = sum;
}
void sum(const int* values, int* partial, int* total, int n) {
  parts<<<${blocks}, 32, 0, ${stream}>>>(values, partial, n);
  finish<<<1, 1, 0, ${stream}>>>(partial, total, ${read});
}
`;
}

test.each([
  { title: "uses less of its scratch memory is right", candidate: summing(3), passed: true },
  { title: "reads scratch memory that it has not written is wrong", candidate: summing(3, 4), passed: false },
  { title: "uses more than it is lent is wrong", candidate: summing(9), passed: false },
  {
    title: "hands it over on another stream is right",
    candidate: summing(8, 8, "cudaStreamPerThread"),
    passed: true,
  },
])("an entry that $title", async ({ candidate, passed }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec,
    baseline: { "total.cu": summing(8) },
    candidate: { "total.cu": candidate },
  });
  const cases = summary(checked);
  const isRight =
    Array.isArray(cases) && cases.every((each) => (each as { passed?: boolean }).passed === true);
  expect(isRight, JSON.stringify(checked)).toBe(passed);
});

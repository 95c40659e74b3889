import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile, summary } from "./evaluation-under-test";

const under = evaluatorOfFile({ limits: { runSeconds: 5 } });

const spec: KernelSpec = {
  file: "double.cu",
  kernel: "twice",
  dialect: "cuda",
  run: { kind: "entry", entry: { call: "double.cu::run", arguments: ["x", "y"] } },
  inputs: { x: { dtype: "float32", shape: [64] } },
  outputs: { y: { dtype: "float32", shape: [64] } },
  shapes: [{ sizes: {} }],
  reference: { kind: "expression", expressions: { y: "2 * x" } },
  objective: "modelled-bound",
};

const macros = ["N 64", "T float", "U(i, j) ((i) + (j))", "F(x) (2 * (x))", "A a", "bytes 4"];

test.each([
  ["x", "cudaFree((void*)x);"],
  ["y", "cudaFree(y);"],
])("an entry that frees its argument %s is told so", async (name, frees) => {
  const source = `__global__ void twice(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
void run(const float* x, float* y) { twice<<<1, 64>>>(x, y); ${frees} }
`;
  const { checked } = await evaluate(under.evaluator, { spec, baseline: { "double.cu": source } });
  const message = `the entry double.cu::run frees ${name}, which is its caller's: memory of arguments has to be there when the call has returned`;
  expect(summary(checked)).toEqual({
    kind: "did-not-run",
    reason: message,
    findings: [{ kind: "freed-argument", file: "double.cu", line: 0, message }],
  });
});

test.each([
  ["from", "cudaMemcpy(in, x.data(), 512, cudaMemcpyHostToDevice);"],
  ["to", "cudaMemcpy(x.data(), in, 512, cudaMemcpyDeviceToHost);"],
])("an entry that copies %s more of a vector than it has is told so", async (way, copies) => {
  const source = `#include <vector>
__global__ void twice(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
void run(std::vector<float> x, float* y) {
  float* in;
  cudaMalloc(&in, 512);
  ${copies}
  twice<<<1, 64>>>(in, y);
}
`;
  const { checked } = await evaluate(under.evaluator, { spec, baseline: { "double.cu": source } });
  expect(summary(checked)).toMatchObject({
    kind: "did-not-run",
    reason: expect.stringContaining(
      `the host code copies 512 bytes ${way} memory of the host that has 256 (of a std::vector, or of new)`,
    ),
  });
});

test("macros of an entry's file do not reach what calls it", async () => {
  const source = `${macros.map((each) => `#define ${each}\n`).join("")}
__global__ void twice(const T* x, T* y) { y[U(threadIdx.x, 0)] = F(x[threadIdx.x]); }
void run(const T* x, T* y) { twice<<<1, N>>>(x, y); }
`;
  const { checked } = await evaluate(under.evaluator, { spec, baseline: { "double.cu": source } });
  expect(summary(checked)).toEqual(Array(2).fill({ sizes: {}, passed: true }));
});

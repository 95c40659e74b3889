import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile, summary } from "./evaluation-under-test";

const under = evaluatorOfFile({ limits: { runSeconds: 5 } });

const spec: KernelSpec = {
  file: "scale.cu",
  kernel: "scale",
  dialect: "cuda",
  run: {
    kind: "entry",
    entry: {
      call: "scale.cu::run",
      arguments: ["x", "y", { value: "n", dtype: "int32" }, { value: 3, dtype: "float32" }],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 1000 } }, { sizes: { n: 7 }, heldOut: true }],
  reference: { kind: "expression", expressions: { y: "3 * x + 1" } },
  objective: "modelled-bound",
};

const scaleWith = (
  launch: string,
  body = "if (i < n) y[i] = factor * x[i] + 1.0f;",
): string => `#include <cstdio>
constexpr int kBlock = 64;
__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ${body}
}
void run(const float* in, float* out, int count, float factor) {
  ${launch}
}
`;
const plain = "scale<<<(count + kBlock - 1) / kBlock, kBlock>>>(in, out, count, factor);";
const right = scaleWith(plain);

async function check(candidate: string, changes: Partial<KernelSpec> = {}): Promise<unknown> {
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, ...changes },
    baseline: { "scale.cu": right },
    candidate: { "scale.cu": candidate },
  });
  return summary(checked);
}

const passed = [
  { sizes: { n: 1000 }, passed: true },
  { sizes: { n: 1000 }, passed: true },
];

test("a right launcher passes every case of both tiers, with facts, counters and a bound", async () => {
  const { compiled, checked } = await evaluate(under.evaluator, {
    spec,
    baseline: { "scale.cu": right },
    tier: "full",
  });
  expect(compiled).toMatchObject({ kind: "compiled", facts: [{ kernel: "scale", architecture: "sm_80" }] });
  expect(checked).toMatchObject({
    kind: "checked",
    facts: [{ kernel: "scale", threadsPerBlock: 64 }],
    counters: { totals: { globalLoadRequests: 32, globalLoadSectors: 125, globalStoreSectors: 125 } },
    bound: { binding: "latency" },
    launches: [{ blocks: 16, threadsPerBlock: 64 }],
  });
  expect(summary(checked)).toEqual([
    ...Array<unknown>(4).fill(passed[0]),
    ...Array<unknown>(3).fill({ sizes: { n: 7 }, passed: true }),
  ]);
});

/** A launcher that launches nothing for some counts. */
const idleWhere = (when: string): string => scaleWith(`if (${when}) return;\n  ${plain}`);

test.each([
  { title: "may launch nothing where there is nothing to write", when: "count == 0", said: [12, 0] },
  { title: "must launch where there is something to write", when: "count < 13", said: "launched no kernel" },
])("a launcher $title", async ({ when, said }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, shapes: [{ sizes: { n: 12 } }, { sizes: { n: 0 } }] },
    baseline: { "scale.cu": idleWhere("count == 0") },
    candidate: { "scale.cu": idleWhere(when) },
    tier: "full",
  });
  if (checked.kind === "did-not-run") return expect(checked.reason).toContain(said);
  const cases = checked.kind === "checked" ? checked.cases : [];
  const passed = cases.filter((each) => each.passed).map(({ shape }) => shape.sizes["n"]);
  // Sizes that the judge adds stand among them.
  expect(passed).toEqual(expect.arrayContaining([...said]));
  expect(passed).toHaveLength(cases.length);
});

const vectors = `#include <vector>
__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}
template <typename T, int kAdded> __global__ void addTo(T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += kAdded;
}
namespace app {
template <typename T, int kAdded>
void run(const std::vector<T>& in, std::vector<T>& out, size_t count, double factor) {
  T *x, *y;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, count * sizeof(T));
  cudaMalloc(&y, count * sizeof(T));
  cudaMemsetAsync(y, 0, count * sizeof(T), stream);
  cudaMemcpyAsync(x, in.data(), count * sizeof(T), cudaMemcpyHostToDevice, stream);
  const int threads = 128;
  scale<<<(count + threads - 1) / threads, threads, 0, stream>>>(x, y, count, factor);
  addTo<T, kAdded><<<(count + threads - 1) / threads, threads, 0, stream>>>(y, count);
  cudaMemcpyAsync(out.data(), y, count * sizeof(T), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaFree(x);
  cudaFree(y);
  cudaStreamDestroy(stream);
}
}
`;

test("a template with vectors, streams and a fill is called; its second kernel counts", async () => {
  const changes: Partial<KernelSpec> = {
    run: {
      kind: "entry",
      entry: {
        call: "scale.cu::app::run<float, 1>",
        arguments: ["x", "y", { value: "n", dtype: "int32" }, { value: 3, dtype: "float32" }],
      },
    },
  };
  const checkTwo = async (text: string): Promise<unknown> => {
    const { checked } = await evaluate(under.evaluator, {
      spec: { ...spec, ...changes },
      baseline: { "scale.cu": vectors },
      candidate: { "scale.cu": text },
    });
    return checked.kind === "checked"
      ? {
          said: summary(checked),
          launches: checked.launches?.map(({ blocks }) => blocks),
          calls: checked.bound?.host?.calls,
        }
      : checked;
  };
  expect(await checkTwo(vectors)).toMatchObject({
    ...{ said: passed, launches: [8, 8] },
    // What the harness copies for the vectors is not the program's.
    calls: {
      ...{ toHost: { calls: 1, bytes: 4000 }, toDevice: { calls: 1, bytes: 4000 }, waits: 0 },
      allocations: { small: 2, large: 0, pooled: 0 },
    },
  });
  expect(await checkTwo(vectors.replace("y[i] += kAdded", "y[i] += kAdded + 1"))).toMatchObject({
    said: [{ passed: false }, { passed: false }],
  });
});

test("garbage on the connection to the device ends the case, and the next one is served", async () => {
  const garbage = `char words[70000] = {};
  for (int file = 3; file < 256; ++file)
    for (int again = 0; again < 3; ++again) write(file, words, sizeof words);
  ${plain}`;
  expect(await check(`#include <unistd.h>\n${scaleWith(garbage)}`)).toMatchObject({
    kind: "did-not-run",
    findings: [{ kind: "exit", message: expect.stringContaining("did not return: the process ended") }],
  });
  expect(await check(right)).toEqual(passed);
});

test("kernels that no other source sees run after an edit of their bodies, with the launcher that was there", async () => {
  const hidden = (body: string): string => `namespace {
__device__ float added[1] = {1};
__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ${body}
}
}
void run(const float* in, float* out, int count, float factor) {
  if (count == 7) throw 1;
  scale<<<(count + 63) / 64, 64>>>(in, out, count, factor);
}
`;
  const { checked } = await evaluate(under.evaluator, {
    spec,
    baseline: { "scale.cu": hidden("if (i < n) y[i] = factor * x[i] + added[0];") },
    candidate: { "scale.cu": hidden("if (i >= n) return;\n  y[i] = added[0];\n  y[i] += factor * x[i];") },
  });
  expect(summary(checked)).toEqual(passed);
});

/** A launcher of a PyTorch extension that takes plain pointers; functions with tensors stand elsewhere. */
const torchLauncher = scaleWith(`TORCH_CHECK(count > 0, "nothing to do in ", count);
  at::cuda::CUDAGuard guard(at::cuda::getCurrentCUDAStream().device_index());
  const int threads = at::cuda::warp_size() * 2;
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  scale<<<(count + threads - 1) / threads, threads, 0, stream>>>(in, out, count, factor);
  C10_CUDA_KERNEL_LAUNCH_CHECK();`).replace(
  "#include <cstdio>",
  `#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>`,
);

test.each([
  ["runs", torchLauncher, passed],
  [
    "ends at a check that fails",
    torchLauncher.replace("count > 0", "count > 1000"),
    {
      kind: "did-not-run",
      reason: "the entry scale.cu::run threw: TORCH_CHECK failed: count > 1000",
      findings: [
        {
          kind: "exception",
          file: "scale.cu",
          line: 0,
          message: "the entry scale.cu::run threw: TORCH_CHECK failed: count > 1000",
        },
      ],
    },
  ],
  [
    "computes what it did not before",
    torchLauncher.replace("+ 1.0f", "+ 2.0f"),
    [{ passed: false }, { passed: false }],
  ],
])("a launcher around plain pointers that includes PyTorch's headers %s", async (_, text, expected) => {
  const { checked } = await evaluate(under.evaluator, {
    spec,
    baseline: { "scale.cu": torchLauncher },
    candidate: { "scale.cu": text },
  });
  expect(summary(checked)).toMatchObject(expected);
});

test("a parameter that cannot be made is told", async () => {
  const candidate = right.replace("float* out,", "FILE* out,").replace("(in, out,", "(in, (float*)out,");
  const { compiled } = await evaluate(under.evaluator, {
    spec: {
      ...spec,
      run: {
        kind: "entry",
        entry: { call: "scale.cu::run", arguments: ["x", "y", { value: 1, dtype: "int32" }] },
      },
    },
    baseline: { "scale.cu": candidate },
  });
  expect(compiled).toMatchObject({
    kind: "did-not-compile",
    diagnostics: [
      {
        file: "scale.cu",
        line: 0,
        message:
          "the entry scale.cu::run cannot be called with the arguments of the spec: too few arguments in function call",
      },
    ],
  });
});

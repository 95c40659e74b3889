import { expect, test, vi } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile, summary } from "./evaluation-under-test";

// Compilers take seconds on an idle machine and may take much longer on a busy one.
vi.setConfig({ testTimeout: 240_000 });

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

const never = {
  sizes: { n: 1000 },
  passed: false,
  findings: [
    {
      kind: "never-written",
      line: 0,
      message: "500 of 1000 elements of y were never written, the first is element 500",
    },
  ],
  mismatch: { output: "y", index: [500], wrong: 500, total: 1000 },
};
const hostComputed = {
  sizes: { n: 1000 },
  passed: false,
  findings: [
    {
      kind: "host-computed",
      line: 0,
      message: "the host code computed y itself; the kernel was handed the answer",
    },
  ],
};
const reads = {
  ...hostComputed,
  findings: [
    {
      kind: "host-computed",
      line: 0,
      message:
        "the host code reads 4000 bytes of device memory, the original 0: work may not move out of the kernel, where it is not counted",
    },
  ],
};
const notRun = (kind: string, line: number, message: string): unknown => ({
  kind: "did-not-run",
  reason: message,
  findings: [{ kind, file: "scale.cu", line, message }],
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

test.each([
  {
    name: "half of the elements are computed, and a branch that is not taken is wrong",
    launch:
      "if (count > 0) scale<<<16, 64>>>(in, out, count / 2, factor); else scale<<<1, 32>>>(out, out, 7, 0);",
    said: [never, never],
  },
  {
    name: "the host computes the answer",
    launch:
      "for (int i = 0; i < count; ++i) out[i] = factor * in[i] + 1.0f; scale<<<1, 1>>>(in, out, 1, factor);",
    said: [hostComputed, hostComputed],
  },
  {
    name: "the host looks at the inputs",
    launch: `float sum = 0; for (int i = 0; i < count; ++i) sum += in[i];
  if (sum == 0.5f) return; ${plain}`,
    said: [reads, reads],
  },
  {
    name: "pointers of the host are copied to the device and back",
    launch:
      "float *a, *b; const int size = 4 * count; cudaMalloc(&a, size); cudaMalloc(&b, size); cudaMemcpy(a, in, size, cudaMemcpyHostToDevice); scale<<<16, 64>>>(a, b, count, factor); cudaMemcpy(out, b, size, cudaMemcpyDeviceToHost); cudaFree(a); cudaFree(b);",
    said: passed,
  },
  {
    name: "the host writes to device memory",
    launch: "float* d; cudaMalloc(&d, 4 * count); d[3] = 1;",
    said: notRun(
      "crash",
      8,
      "the host code ended in a segmentation fault: it uses device memory as if it were its own",
    ),
  },
  {
    name: "the program is left early, with a result of its own on the output",
    launch: 'printf("all cases passed\\n"); fflush(stdout); _exit(0);',
    said: notRun(
      "exit",
      0,
      "the entry scale.cu::run did not return: the process ended with status 0: all cases passed",
    ),
  },
  {
    name: "the host code has no end",
    launch: "for (volatile int i = 0;; ++i) {}",
    said: { kind: "timed-out", stage: "run", limitSeconds: 5 },
  },
  {
    name: "an exception",
    launch: 'throw std::runtime_error("no such size");',
    said: notRun("exception", 0, "the entry scale.cu::run threw: no such size"),
  },
  {
    name: "more shared memory than was allowed",
    launch: "scale<<<16, 64, 62976>>>(in, out, count, factor);",
    said: notRun(
      "invalid-launch",
      8,
      "invalid launch: 62976 bytes of dynamic shared memory are more than 49152: allow them with cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
    ),
  },
  {
    name: "files, networks and children",
    launch: `for (auto path : {"/etc/passwd", "/etc/shadow", "/home"}) if (fopen(path, "r")) exit(1);
  if (const int s = socket(AF_INET, SOCK_STREAM, 0); s >= 0) {
    sockaddr_in a = {AF_INET, htons(80)};
    a.sin_addr.s_addr = htonl(0x01010101);
    if (connect(s, (sockaddr*)&a, sizeof a) == 0) exit(2);
  }
  if (kill(getppid(), 9) == 0 && getppid() > 1) exit(3);
  if (fork() == 0) { scale<<<16, 64>>>(in, out, count, factor); exit(0); }
  wait(nullptr);
  _exit(4);`,
    said: notRun(
      "exit",
      0,
      "the entry scale.cu::run did not return: the process ended with status 4: kernelwright: a process that was forked cannot use the virtual GPU of its parent",
    ),
  },
  {
    name: "no kernel is launched",
    launch: "",
    said: { kind: "did-not-run", reason: "the entry scale.cu::run launched no kernel", findings: [] },
  },
  {
    name: "the standard input is read, sixty megabytes are written, a file of a terabyte is made",
    launch: `if (getchar() != EOF) exit(5);
  const std::vector<char> line(1 << 20, 'x');
  for (int i = 0; i < 60; ++i) fwrite(line.data(), 1, line.size(), stdout);
  if (FILE* file = fopen("large", "w")) if (ftruncate(fileno(file), 1ll << 40) == 0) exit(6);
  ${plain}`,
    said: passed,
  },
  {
    name: "a library is called, whose work is the host's",
    more: ["cublas_v2.h"],
    launch: `cublasHandle_t handle; cublasCreate(&handle); const float one = 1;
  cublasScopy(handle, count, in, 1, out, 1); cublasSscal(handle, count, &one, out, 1); cublasDestroy(handle);
  ${plain}`,
    said: [reads, reads],
  },
])("$name", async ({ launch, said, more = [] }) => {
  const headers = [
    ...more,
    "arpa/inet.h",
    "csignal",
    "cstdlib",
    "stdexcept",
    "sys/socket.h",
    "sys/wait.h",
    "unistd.h",
    "vector",
  ];
  const candidate = scaleWith(launch).replace(
    "#include <cstdio>",
    `#include <cstdio> ${headers.map((each) => `\n#include <${each}>`).join("")}`,
  );
  const shifted = (line: number): number => (line === 0 ? 0 : line + headers.length);
  const lines = JSON.parse(JSON.stringify(said), (key, value: unknown) =>
    key === "line" && typeof value === "number" ? shifted(value) : value,
  ) as unknown;
  expect(await check(candidate)).toEqual(lines);
});

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
      ? { said: summary(checked), launches: checked.launches?.map(({ blocks }) => blocks) }
      : checked;
  };
  expect(await checkTwo(vectors)).toEqual({ said: passed, launches: [8, 8] });
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

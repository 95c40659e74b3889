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
      arguments: [
        ...["x", "y"],
        { value: "n", dtype: "int32" },
        { value: 3, dtype: "float32" },
        { value: "chosen", dtype: "int32" },
      ],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [],
  reference: { kind: "expression", expressions: { y: "3 * x + 1" } },
  objective: "modelled-bound",
};

const plain = "scale<<<(count + kBlock - 1) / kBlock, kBlock>>>(in, out, count, factor);";
const passed = [
  { sizes: { n: 1000 }, passed: true },
  { sizes: { n: 1000 }, passed: true },
];
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
/** `said`: the first line of a launcher is 1. */
const launchers: readonly { readonly name: string; readonly launch: string; readonly said: unknown }[] = [
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
      1,
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
      1,
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
    launch: `cublasHandle_t handle; cublasCreate(&handle); const float one = 1;
  cublasScopy(handle, count, in, 1, out, 1); cublasSscal(handle, count, &one, out, 1); cublasDestroy(handle);
  ${plain}`,
    said: [reads, reads],
  },
];

const launcherHead = `${[
  "arpa/inet.h",
  "csignal",
  "cstdio",
  "cstdlib",
  "stdexcept",
  "sys/socket.h",
  "sys/wait.h",
  "unistd.h",
  "vector",
]
  .map((header) => `#include <${header}>\n`)
  .join("")}#include <cublas_v2.h>
constexpr int kBlock = 64;
__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i] + 1.0f;
}
void run(const float* in, float* out, int count, float factor, int chosen) {
`;
/** The first launchers, of which each case chooses one: compiling them takes longer than all checks. */
const upTo = (index: number): string =>
  launcherHead +
  launchers
    .slice(0, index)
    .map(({ launch }, at) => `  if (chosen == ${at}) {\n  ${launch}\n  return;\n  }\n`)
    .join("");

test.each(launchers.map((each, index) => ({ ...each, index })))("$name", async ({ said, index }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, shapes: [{ sizes: { n: 1000, chosen: index } }] },
    baseline: { "scale.cu": `${launcherHead}  ${plain}\n}\n` },
    candidate: { "scale.cu": `${upTo(launchers.length)}}\n` },
  });
  const above = upTo(index).split("\n").length;
  const own = JSON.parse(JSON.stringify(summary(checked)), (key, value: unknown) => {
    if (key === "chosen") return undefined;
    return key === "line" && typeof value === "number" && value > 0 ? value - above : value;
  }) as unknown;
  expect(own).toEqual(said);
});

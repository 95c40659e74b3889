import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

/** Memory of the host that asynchronous copies read and write while host code goes on. */
const under = evaluatorOfFile();

const spec: KernelSpec = {
  file: "scale.cu",
  kernel: "scale",
  dialect: "cuda",
  run: {
    kind: "entry",
    entry: {
      call: "scale.cu::run",
      arguments: ["x", "y", { value: "n", dtype: "int32" }, { value: "step", dtype: "int32" }],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [],
  reference: { kind: "expression", expressions: { y: "3 * x" } },
  objective: "modelled-bound",
};

const sent = (from: string): string =>
  `${from}[0] = 3.0f; cudaMemcpyAsync(factor, ${from}, 4, cudaMemcpyHostToDevice, 0); ` +
  "scale<<<(n + 127) / 128, 128>>>(x, y, factor, n);";

/** What the launcher does. */
const cases = [
  { what: "changed while a copy may read it", does: `${sent("pinned")} pinned[0] = 0.0f;`, passes: false },
  {
    what: "registered later, and changed while a copy may read it",
    does: `${sent("registered")} registered[0] = 0.0f;`,
    passes: false,
  },
  {
    what: "that is not pinned, changed behind the call",
    does: `${sent("plain")} plain[0] = 0.0f;`,
    passes: true,
  },
  {
    what: "changed behind a synchronisation",
    does: `${sent("pinned")} cudaStreamSynchronize(0); pinned[0] = 0.0f;`,
    passes: true,
  },
  {
    what: "changed behind an event of the copy",
    does: `${sent("pinned")} cudaEventRecord(done, 0); cudaEventSynchronize(done); pinned[0] = 0.0f;`,
    passes: true,
  },
  {
    what: "changed behind a copy that waits",
    does: sent("pinned").replace("Async", "").replace(", 0);", "); pinned[0] = 0.0f;"),
    passes: true,
  },
  {
    what: "freed behind the copy",
    does: `cudaMallocHost(&passing, 4); ${sent("passing")} cudaFreeHost(passing);`,
    passes: true,
  },
];

const source = (choices: readonly string[]): string => `
__global__ void scale(const float* x, float* y, const float* factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor[0] * x[i];
}
void run(const float* x, float* y, int n, int step) {
  static float *factor, *pinned, *passing, plain[1], registered[1024];
  static cudaEvent_t done;
  if (factor == nullptr) {
    cudaMalloc(&factor, 4);
    cudaMallocHost(&pinned, 4);
    cudaHostRegister(registered, sizeof(registered), cudaHostRegisterDefault);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  }
  ${choices.map((does, step) => `if (step == ${step}) { ${does} }`).join("\n  ")}
}
`;

test.each(cases.map((each, step) => ({ ...each, step })))("memory $what", async ({ step, passes }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, shapes: [{ sizes: { n: 1000, step } }, { sizes: { n: 70, step }, heldOut: true }] },
    baseline: { "scale.cu": source(cases.map(() => sent("plain"))) },
    candidate: { "scale.cu": source(cases.map(({ does }) => does)) },
    tier: "full",
  });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  expect(checked.cases.every(({ passed }) => passed)).toBe(passes);
});

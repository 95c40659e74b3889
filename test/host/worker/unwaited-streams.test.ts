import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

/** What a launcher leaves on streams when it returns: its caller reads behind the default stream. */
const under = evaluatorOfFile();

const spec: KernelSpec = {
  file: "triple.cu",
  kernel: "triple",
  dialect: "cuda",
  run: {
    kind: "entry",
    entry: {
      call: "triple.cu::run",
      arguments: ["x", "y", { value: "n", dtype: "int32" }, { value: "step", dtype: "int32" }],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [],
  reference: { kind: "expression", expressions: { y: "3 * x" } },
  objective: "modelled-bound",
};

const launch = (stream: string): string => `triple<<<(n + 127) / 128, 128, 0, ${stream}>>>(x, y, n);`;

const unordered = { passed: false, kinds: ["unordered-streams"], remarks: [] };
const right = { passed: true, kinds: [], remarks: [] };

/** What the launcher does, and what it did before where that is no launch on the default stream. */
const cases = [
  { what: "left on a non-blocking stream", does: launch("own"), judged: unordered },
  { what: "left on a blocking stream", does: launch("blocking"), judged: right },
  { what: "waited for by the host", does: `${launch("own")} cudaStreamSynchronize(own);`, judged: right },
  {
    what: "waited for by the default stream",
    does: `${launch("own")} cudaEventRecord(done, own); cudaStreamWaitEvent(0, done, 0);`,
    judged: right,
  },
  {
    what: "left on a non-blocking stream before, too",
    does: launch("own"),
    before: launch("own"),
    judged: { ...right, remarks: [expect.stringMatching(/^the kernel as it was gives other values, too/)] },
  },
];

const sourceWith = (choices: readonly string[]): string => `
__global__ void triple(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 3.0f * x[i];
}
void run(const float* x, float* y, int n, int step) {
  static cudaStream_t own, blocking;
  static cudaEvent_t done;
  if (own == nullptr) {
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaStreamCreate(&blocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  }
  ${choices.map((does, step) => `if (step == ${step}) { ${does} }`).join("\n  ")}
}
`;

test.each(cases.map((each, step) => ({ ...each, step })))("work $what", async ({ step, judged }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, shapes: [{ sizes: { n: 1000, step } }, { sizes: { n: 70, step }, heldOut: true }] },
    baseline: { "triple.cu": sourceWith(cases.map(({ before = launch("0") }) => before)) },
    candidate: { "triple.cu": sourceWith(cases.map(({ does }) => does)) },
    tier: "full",
  });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  const failed = checked.cases.filter(({ passed }) => !passed);
  expect({
    passed: failed.length === 0,
    kinds: failed.flatMap(({ findings }) => findings.slice(0, 1).map(({ kind }) => kind)),
    remarks: checked.cases.flatMap(({ remarks = [] }) => remarks.filter((each) => /streams/.test(each))),
  }).toEqual(judged);
});

import { expect, test } from "vitest";
import type { EvaluationTask } from "../../../server/core/ports/evaluator";
import { simulatesLong } from "../../../server/host/worker/evaluation/simulate-long";
import { readSpec } from "../../core/agent/rulebook/real-evaluation";
import { evaluatorOfFile } from "./evaluation-under-test";

const under = evaluatorOfFile();

const source = `__global__ void product(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
void run(const float* a, const float* b, float* c, int n) {
  product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
}
void growing(const float* a, const float* b, float* c, int n) {
  for (int rows = 1; rows <= n / 16; ++rows) product<<<dim3(n / 16, rows), dim3(16, 16)>>>(a, b, c, n);
}
void seventeenTimes(const float* a, const float* b, float* c, int n) {
  for (int part = 0; part < 17; ++part) run(a, b, c, n);
}
`;
const argumentsOf = ["a", "b", "c", { value: "n", dtype: "int32" }];
const square = { dtype: "float32", shape: ["n", "n"] };

function taskOf(run: object, n: number): EvaluationTask {
  const spec = readSpec(
    JSON.stringify({
      ...{ version: 1, kernel: "case.cu::product", ...run, inputs: { a: square, b: square } },
      ...{ outputs: { c: square }, shapes: [{ sizes: { n } }], reference: "baseline" },
      objective: "modelled-bound",
    }),
  );
  const target = { kind: "vgpu", architecture: "sm_90" } as const;
  return { spec, specFolder: "", target, baseline: { "case.cu": source } };
}

const entry = { entry: { call: "case.cu::run", arguments: argumentsOf } };
const launch = {
  launch: { grid: ["n / 16", "n / 16"], block: [16, 16], arguments: argumentsOf },
};

/** What is counted of a launch, and whether all of its machine code was matched. */
async function check(run: object, n: number, expected: object | undefined): Promise<void> {
  const simulated = await simulatesLong(under.evaluator)(taskOf(run, n), new AbortController().signal);
  const [model] = simulated?.models ?? [];
  expect(
    model && {
      ...{ kernel: model.kernel, sample: model.sample, method: model.mapping.method },
      isClose: model.mapping.deviation < 0.05,
      launches: simulated?.launches.map(({ blocks, counters }) => [
        blocks,
        Math.round(counters.globalStoreRequests),
      ]),
    },
  ).toEqual(expected);
}

const sampled = {
  kernel: "_Z7productPKfS0_Pfi",
  sample: { blocks: expect.any(Number) as number, of: 1024, error: 0 },
  method: "graph",
  isClose: true,
  launches: [[1024, 8192]],
};

test("a long launch by an entry is simulated from some of its blocks", () => check(entry, 512, sampled));

test("a long launch by a spec is simulated from some of its blocks", () => check(launch, 512, sampled));

test("a short launch is left to its check", () => check(entry, 64, undefined));

/** The simulated time of a quick check, in nanoseconds, undefined where none was told. */
async function judged(run: object, n: number): Promise<number | undefined> {
  const { signal } = new AbortController();
  const task = taskOf(run, n);
  const evaluation = await under.evaluator.open(task, signal);
  try {
    const outcome = await evaluation.check({ tree: task.baseline, tier: "quick", counters: true, signal });
    if (outcome.kind !== "checked" || outcome.cases.some(({ passed }) => !passed))
      throw new Error(`the check told ${JSON.stringify(outcome)}`);
    return outcome.simulatedNanoseconds;
  } finally {
    await evaluation.close();
  }
}

test("a verdict simulates launches by an entry as those by a spec", async () => {
  const stated = await judged(launch, 64);
  expect(stated).toBeGreaterThan(1000);
  expect(await judged(entry, 64)).toBe(stated);
});

const called = (name: string): object => ({ entry: { call: `case.cu::${name}`, arguments: argumentsOf } });

test("a verdict simulates four different launches of an entry, no fifth, and not one more than are kept", async () => {
  expect(await judged(called("growing"), 64)).toBeGreaterThan(4000);
  expect(await judged(called("growing"), 80)).toBeUndefined();
  expect(await judged(called("seventeenTimes"), 64)).toBeUndefined();
});

import { mkdtempSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { known } from "../../../server/core/base/known";
import type { CheckOutcome } from "../../../server/core/ports/evaluator";
import { defaultTarget } from "../../../server/core/timing/target";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { composeServices } from "../../../server/host/compose";
import { RecordingStore } from "../../../server/host/storage/recordings";
import { systemIdentity } from "../../../server/host/system/identity";
import { projectRoot } from "../../architecture/project";
import { type EvaluatorUnderTest, startEvaluator } from "../worker/evaluation-under-test";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "kernelwright-host-edits-")));
const sessions = join(folder, "sessions");
const source = readFileSync(join(projectRoot, "test/cases/capture/heat-steps.cu"), "utf8");
let spec: KernelSpec;
let capture: (file: string, text: string) => Promise<KernelSpec>;
let under: EvaluatorUnderTest;

beforeAll(async () => {
  const services = await composeServices({
    workspaceFolder: folder,
    sessionsFolder: sessions,
    environment: process.env,
  });
  const nothing = openSync(devNull, "r+");
  capture = async (file, text) => {
    writeFileSync(join(folder, file), text);
    const captured = await services.captures.capture({
      file,
      arguments: [],
      compileOptions: [],
      target: defaultTarget,
      descriptors: [nothing, nothing, nothing],
      signal: new AbortController().signal,
    });
    return known(captured.workloads[0], "a workload").found.spec;
  };
  spec = await capture("heat-steps.cu", source);
  under = startEvaluator({ recordings: new RecordingStore(join(sessions, "recordings"), systemIdentity) });
  return () => services.dispose();
});
afterAll(async () => {
  await under.close();
  rmSync(folder, { recursive: true, force: true });
});

type Checked = Extract<CheckOutcome, { kind: "checked" }>;

/** The verdict, how price and instructions of a candidate relate to those of the kernel as it was. */
function summary(outcome: CheckOutcome, before: Checked): unknown {
  if (outcome.kind !== "checked") return outcome;
  const [only] = outcome.cases;
  const { passed, findings = [], mismatch } = only ?? {};
  return {
    passed,
    findings: findings.map(({ kind, message }) => `${kind}: ${message}`),
    ...(mismatch === undefined ? {} : { wrong: mismatch.output }),
    price: inTenths(outcome.bound?.nanoseconds, before.bound?.nanoseconds),
    isSimulated: outcome.bound?.simulatedNanoseconds !== undefined,
    work: inTenths(outcome.counters?.totals.instructions, before.counters?.totals.instructions),
  };
}

function inTenths(value = 0, of = 0): number {
  return Math.round((10 * value) / of) / 10;
}

interface Edit {
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly expected: unknown;
}

const right = { passed: true, findings: [] };

const edits: readonly Edit[] = [
  {
    title: "another block",
    from: "dim3 block(16, 2);",
    to: "dim3 block(32, 8);",
    expected: { ...right, price: 1, isSimulated: true, work: 1 },
  },
  {
    title: "a grid that is too small",
    from: "(height + block.y - 1) / block.y);",
    to: "height / block.y / 2);",
    expected: {
      passed: false,
      findings: [
        'uninitialized-read: uninitialised read: thread (1,1,0) of block (0,19,0) reads 4 bytes at "allocation 2"+0x3c04, to which nothing was written (allocated at heat-steps.cu:26, launched at heat-steps.cu:31, 282 times)',
        'printed: the program prints "steps 6, mean 0.491811", the original "steps 6, mean 0.494662"',
      ],
      wrong: "to",
      price: 1,
      isSimulated: true,
      work: 0.5,
    },
  },
  {
    title: "a step less",
    from: "step < steps;",
    to: "step < steps - 1;",
    expected: { passed: false, findings: [], wrong: "to", price: 0.8, isSimulated: true, work: 0.9 },
  },
  {
    title: "the repeats left out",
    from: "repeat < 10;",
    to: "repeat < 1;",
    expected: { ...right, price: 1, isSimulated: true, work: 1 },
  },
  {
    title: "another text",
    from: "mean %.6f",
    to: "the mean %.6f",
    expected: {
      passed: false,
      findings: [
        'printed: the program prints "steps 6, the mean 0.494662", the original "steps 6, mean 0.494662"',
      ],
      price: 1,
      isSimulated: true,
      work: 1,
    },
  },
  {
    title: "one allocation more of that size: what the program reads is compared",
    from: "float *a, *b;",
    to: "float *a, *b, *c;\n  cudaMalloc(&c, plate.size() * sizeof(float));",
    expected: { ...right, price: 1, isSimulated: true, work: 1 },
  },
  {
    title: "a copy by the host in place of the kernel",
    from: "for (int step = 0; step < steps; ++step) {",
    to: `std::vector<float> other = plate;
  for (int step = 0; step < steps; ++step) {
    for (int y = 1; y < height - 1; ++y)
      for (int x = 1; x < width - 1; ++x) {
        int at = y * width + x;
        float around = plate[at - 1] + plate[at + 1] + plate[at - width] + plate[at + width];
        other[at] = plate[at] + 0.2f * (around - 4.0f * plate[at]);
      }
    std::swap(plate, other);
  }
  cudaMemcpy(steps % 2 ? b : a, plate.data(), plate.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(steps % 2 ? a : b, plate.data(), plate.size() * sizeof(float), cudaMemcpyHostToDevice);
  if (steps % 2) std::swap(a, b);
  for (int step = 0; step < 0; ++step) {`,
    expected: {
      passed: false,
      findings: ["host-computed: no kernel of the program changes to any more"],
      price: 0,
      isSimulated: true,
      work: 0.1,
    },
  },
  {
    title: "it does not compile",
    from: "dim3 block(16, 2);",
    to: "dim3 block(16, 2)",
    expected: { kind: "did-not-run", reason: 'expected a ";"', findings: [] },
  },
];

test("outputs that the kernel does not change in the program cannot be compared", async () => {
  const signal = new AbortController().signal;
  const { from } = spec.inputs;
  const both = { ...spec, outputs: { ...spec.outputs, from: known(from, "the input") } };
  const evaluation = await under.evaluator.open(
    { spec: both, specFolder: "", target: defaultTarget, baseline: { "heat-steps.cu": source } },
    signal,
  );
  const tree = { "heat-steps.cu": source.replace("dim3 block(16, 2);", "dim3 block(32, 8);") };
  try {
    expect(await evaluation.check({ tree, tier: "quick", counters: true, signal })).toEqual({
      kind: "refused",
      reason:
        "the candidate changes host code, which its whole program has to show: its kernel changes only a part of the spec's outputs in the program. Change the kernel alone; or judge the host function that launches it, as the spec's entry",
    });
  } finally {
    await evaluation.close();
  }
});

test("a change of host code is judged by the whole program", async () => {
  const signal = new AbortController().signal;
  const baseline = { "heat-steps.cu": source };
  const evaluation = await under.evaluator.open(
    { spec, specFolder: "", target: defaultTarget, baseline },
    signal,
  );
  const check = (text: string): Promise<CheckOutcome> =>
    evaluation.check({ tree: { "heat-steps.cu": text }, tier: "quick", counters: true, signal });
  try {
    const before = await check(source);
    if (before.kind !== "checked") throw new Error(JSON.stringify(before));
    const judged: Record<string, unknown> = {};
    for (const { title, from, to } of edits) {
      expect(source).toContain(from);
      judged[title] = summary(await check(source.replace(from, to)), before);
    }
    expect(judged).toEqual(Object.fromEntries(edits.map(({ title, expected }) => [title, expected])));
  } finally {
    await evaluation.close();
  }
});

/** The first number is so large that others, added one by one, are lost beside it. */
const sums = `#include <cstdio>
#include <vector>
__global__ void total(const float* x, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}
int main() {
  const int n = 1 << 17;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = i == 0 ? 1.0e8f : 0.25f + i % 7;
  float *x, *sum, result;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemcpy(x, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof(float));
  total<<<(n + 255) / 256, 256>>>(x, sum, n);
  cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s\\n", result > 1.0e8f ? "passed" : "failed");
}
`;

test("a program whose sums are rounded less is held against the sums without rounding", async () => {
  const signal = new AbortController().signal;
  const evaluation = await under.evaluator.open(
    {
      ...{ spec: await capture("sums.cu", sums), specFolder: "", target: defaultTarget },
      baseline: { "sums.cu": sums },
    },
    signal,
  );
  const walked = (factor: string): string =>
    sums
      .replace(
        "  if (i < n) atomicAdd(sum, x[i]);",
        `  float part = 0.0f;
  for (; i < n; i += gridDim.x * blockDim.x) part += x[i];
  atomicAdd(sum, part${factor});`,
      )
      .replace("<<<(n + 255) / 256, 256>>>", "<<<32, 256>>>");
  try {
    const found: unknown[] = [];
    for (const text of [walked(""), walked(" * 1.01f")]) {
      const tree = { "sums.cu": text };
      const checked = await evaluation.check({ tree, tier: "quick", counters: true, signal });
      if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
      const [only] = checked.cases;
      const isTold = only?.remarks?.some((remark) => remark.includes("the sums without rounding"));
      found.push({ passed: only?.passed, isTold, wrong: only?.mismatch?.output });
    }
    expect(found).toEqual([
      { passed: true, isTold: true, wrong: undefined },
      { passed: false, isTold: false, wrong: "sum" },
    ]);
  } finally {
    await evaluation.close();
  }
});

const blending = readFileSync(join(projectRoot, "test/cases/capture/own-verdict.cu"), "utf8");

interface DeviceEdit {
  readonly title: string;
  readonly to: string;
  /** What is found, or told where nothing is. */
  readonly says: readonly string[];
}

const deviceEdits: readonly DeviceEdit[] = [
  {
    title: "another spelling",
    to: "fmaf(b[i] - a[i], part, a[i])",
    says: ["its program ends and prints as before"],
  },
  {
    title: "wrong at a length that was not recorded",
    to: "a[i] + (b[i] - a[i]) * (n == 3000 ? 0.4f : part)",
    says: [
      "exit: the program ends with 1, the original with 0",
      'printed: the program prints "Test FAILED", the original "Test PASSED"',
      'printed: the program prints "MISMATCH" on standard error, the original "no mismatch"',
    ],
  },
];

test("a program has its own say about changes of device code", async () => {
  const signal = new AbortController().signal;
  const baseline = { "own-verdict.cu": blending };
  const evaluation = await under.evaluator.open(
    {
      ...{ spec: await capture("own-verdict.cu", blending), specFolder: "" },
      ...{ target: defaultTarget, baseline },
    },
    signal,
  );
  try {
    const said: Record<string, unknown> = {};
    for (const { title, to } of deviceEdits) {
      const tree = { "own-verdict.cu": blending.replace("a[i] + (b[i] - a[i]) * part", to) };
      const outcome = await evaluation.check({ tree, tier: "full", counters: true, signal });
      if (outcome.kind !== "checked") throw new Error(JSON.stringify(outcome));
      const { findings = [], remarks = [] } = known(outcome.cases[0], "a case");
      said[title] =
        findings.length > 0 ? findings.map(({ kind, message }) => `${kind}: ${message}`) : remarks;
    }
    expect(said).toEqual(Object.fromEntries(deviceEdits.map(({ title, says }) => [title, says])));
  } finally {
    await evaluation.close();
  }
});

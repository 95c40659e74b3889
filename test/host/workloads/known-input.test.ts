import { mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { known } from "../../../server/core/base/known";
import type { CheckOutcome, Evaluation } from "../../../server/core/ports/evaluator";
import { defaultTarget } from "../../../server/core/timing/target";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { composeServices } from "../../../server/host/compose";
import { RecordingStore } from "../../../server/host/storage/recordings";
import { systemIdentity } from "../../../server/host/system/identity";
import { type EvaluatorUnderTest, startEvaluator } from "../worker/evaluation-under-test";

/** Programs have one input: candidates that know what comes of it. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), "kernelwright-known-input-")));
const sessions = join(folder, "sessions");
let under: EvaluatorUnderTest;
let evaluation: Evaluation;

const lift = `__global__ void lift(const float* depth, float* raised, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) raised[i] = 2.0f * depth[i] + 1.0f;
}
`;
const damped = (from: string, value: string): string => `
__global__ void damp(const float* ${from}, float* tide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float height = ${value};
    tide[i] = height / (1.0f + fabsf(height));
  }
}
`;
const head = "#include <cstdio>\n#include <vector>\n";
const body = (work: string): string => `
int main() {
  const int n = 224;
  std::vector<float> sea(n), shown(n);
  for (int i = 0; i < n; ++i) sea[i] = 0.25f * (i % 7) - 0.5f;
  float *depth, *raised, *tide;
  ${work}
  cudaMemcpy(shown.data(), tide, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%d tides\\n", n);
  return 0;
}
`;
const room = (name: string): string => `cudaMalloc(&${name}, n * sizeof(float));`;
const upload = `${room("depth")} cudaMemcpy(depth, sea.data(), n * sizeof(float), cudaMemcpyHostToDevice);`;

const source =
  head +
  lift +
  damped("raised", "raised[i]") +
  body(`${upload} ${room("raised")} ${room("tide")}
  lift<<<2, 128>>>(depth, raised, n);
  damp<<<2, 128>>>(raised, tide, n);`);

beforeAll(async () => {
  writeFileSync(join(folder, "tides.cu"), source);
  const services = await composeServices({
    workspaceFolder: folder,
    sessionsFolder: sessions,
    environment: process.env,
  });
  const nothing = openSync(devNull, "r+");
  const captured = await services.captures.capture({
    file: "tides.cu",
    arguments: [],
    compileOptions: [],
    target: defaultTarget,
    descriptors: [nothing, nothing, nothing],
    signal: new AbortController().signal,
  });
  await services.dispose();
  const found = captured.workloads.map((workload) => workload.found.spec);
  const spec: KernelSpec = known(
    found.find(({ kernel }) => kernel.endsWith("damp")),
    "the workload of damp",
  );
  under = startEvaluator({ recordings: new RecordingStore(join(sessions, "recordings"), systemIdentity) });
  evaluation = await under.evaluator.open(
    { spec, specFolder: "", target: defaultTarget, baseline: { "tides.cu": source } },
    new AbortController().signal,
  );
});
afterAll(async () => {
  await evaluation.close();
  await under.close();
  rmSync(folder, { recursive: true, force: true });
});

function told(outcome: CheckOutcome): unknown {
  if (outcome.kind === "refused") return /: (it .*?)\. Change the kernel/.exec(outcome.reason)?.[1];
  if (outcome.kind !== "checked") return outcome.kind;
  const [only] = outcome.cases;
  return only?.passed === true ? "passed" : (only?.findings[0]?.kind ?? "wrong values");
}

const launched = "damp<<<2, 128>>>(depth, tide, n);";
const ofItsPlace = "0.5f * (i % 7)";

test.each<[string, string, unknown]>([
  [
    "does both in one kernel",
    damped("depth", "2.0f * depth[i] + 1.0f") + body(`${upload} ${room("tide")} ${launched}`),
    "passed",
  ],
  [
    "hands its numbers over in another layout",
    damped("depth", "2.0f * depth[(i % 32) * 7 + i / 32] + 1.0f") +
      body(`std::vector<float> rows(n);
  for (int i = 0; i < n; ++i) rows[(i % 32) * 7 + i / 32] = sea[i];
  ${room("depth")} cudaMemcpy(depth, rows.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  ${room("tide")} ${launched}`),
    "passed",
  ],
  [
    "makes what it knows of the place of an element",
    damped("depth", ofItsPlace) + body(`${upload} ${room("tide")} ${launched}`),
    "knows-its-input",
  ],
  [
    "does that, and reads the numbers for nothing",
    damped("depth", `${ofItsPlace} + 0.0f * depth[i]`) + body(`${upload} ${room("tide")} ${launched}`),
    "knows-its-input",
  ],
  [
    "does that, and hands nothing over",
    damped("depth", ofItsPlace) + body(`${room("depth")} ${room("tide")} ${launched}`),
    "it does not hand the numbers to its kernels that the original does, and leaves the same results where these are others",
  ],
  [
    "shows what nothing has written",
    lift +
      damped("raised", "raised[i]") +
      body(`${upload} ${room("raised")} ${room("tide")}
  lift<<<2, 128>>>(depth, raised, n);`),
    "never-written",
  ],
  [
    "shows the buffer before the last",
    lift + body(`${upload} ${room("tide")} lift<<<2, 128>>>(depth, tide, n);`),
    "wrong values",
  ],
])("a candidate of a program that %s", async (_, text, expected) => {
  const tree = { "tides.cu": head + text };
  const { signal } = new AbortController();
  expect(told(await evaluation.check({ tree, tier: "full", counters: true, signal }))).toEqual(expected);
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CounterName, KernelCounters } from "../../../server/core/timing/counters";
import { startOpenAiServer } from "../../harness/openai-server";
import { sshdProblem, startSshd } from "../worker/loopback-sshd";
import { python } from "../worker/worker-under-test";
import type { Ended } from "../../harness/command-line";
import { Workplace, lastObject } from "./workplace";

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.remove());

interface Report {
  readonly outcome: string;
  readonly reason: string;
  readonly best: { readonly id: string; readonly stage: string } | null;
  readonly verdict: { readonly kind: string; readonly tier: string } | null;
  readonly counters: { readonly before: KernelCounters; readonly after: KernelCounters } | null;
  readonly candidates: readonly { readonly id: string; readonly stage: string; readonly reason: string }[];
  readonly diff: string;
  readonly session: { readonly id: string; readonly folder: string; readonly events: number };
}

function reportOf(ended: Ended): Report {
  return lastObject(ended) as unknown as Report;
}

/** The spec of an element-wise kernel, with small shapes, as it runs a dozen times in each command. */
function specOf(kernel: string, y: string): object {
  return {
    version: 1,
    kernel,
    launch: {
      arguments: ["x", "y", { value: "n", dtype: "int32" }],
      grid: ["ceil_div(n, 256)"],
      block: [256],
    },
    inputs: { x: { dtype: "float32", shape: ["n"] } },
    outputs: { y: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 65_536 } }, { sizes: { n: 1003 } }],
    reference: { expressions: { y } },
    objective: "modelled-bound",
  };
}

/**
 * What must hold of every win: it is correct in the full tier, fewer events were counted, and nothing was
 * written.
 */
function expectWin(ended: Ended, counter: CounterName): Report {
  const report = reportOf(ended);
  expect({
    code: ended.code,
    outcome: report.outcome,
    verdict: [report.verdict?.kind, report.verdict?.tier],
    stage: report.best?.stage,
    why: ended.code === 0 ? "" : ended.errors,
  }).toEqual({ code: 0, outcome: "improved", verdict: ["correct", "full"], stage: "faster", why: "" });
  const { before, after } = report.counters ?? { before: undefined, after: undefined };
  expect(after?.totals[counter]).toBeLessThan(before?.totals[counter] ?? 0);
  return report;
}

test("a CUDA kernel with bank conflicts is improved, the workspace stays as it was, and every format exports", async () => {
  const before = place.contents();
  const report = expectWin(
    await place.run(["optimize", "transpose.cu", "--json", "--candidates", "4"]),
    "sharedWavefronts",
  );
  expect(report.diff).toContain("--- a/transpose.cu");
  expect(place.contents()).toEqual(before);
  // Our validators find nothing wrong with what is exported.
  const formats = ["atif-1.8", "atif-1.7", "markdown", "chrome-trace"];
  const exported = await Promise.all(
    formats.map(async (format) => lastObject(await place.run(["export", "--format", format, "--json"]))),
  );
  expect(exported.map(({ format, problems }) => ({ format, problems }))).toEqual(
    formats.map((format) => ({ format, problems: [] })),
  );
});

test("each kernel of a file gets a session of its own, also where one of them cannot be judged", async () => {
  writeFileSync(
    join(place.samples, "two.cu"),
    `__global__ void wide(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.5 + 1.0;
}
__global__ void calls(const float* x, float* y, void (*f)(int), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { y[i] = x[i]; f(i); }
}
`,
  );
  const ended = await place.run(["optimize", "two.cu", "--json", "--candidates", "1"]);
  const kernels = lastObject(ended)["kernels"] as {
    readonly outcome: string;
    readonly error?: { readonly code: string };
  }[];
  expect({
    code: ended.code,
    kernels: kernels.map(({ outcome, error }) => (outcome === "failed" ? error?.code : outcome)),
  }).toEqual({ code: 0, kernels: ["improved", "spec-invalid"] });
});

test("a kernel whose work is part of what is proposed for another one has no session of its own", async () => {
  writeFileSync(
    join(place.samples, "chain.cu"),
    `#include <cuda_runtime.h>
__global__ void centre(const float* volts, float* level, float offset, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) level[i] = volts[i] - offset;
}
__global__ void widen(const float* level, float* out, float gain, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = level[i] * gain;
}
int main() {
  const int n = 1 << 17;
  float *volts, *level, *out, *host = new float[n];
  for (int i = 0; i < n; ++i) host[i] = (i % 91) * 0.01f;
  cudaMalloc(&volts, n * sizeof(float));
  cudaMalloc(&level, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(volts, host, n * sizeof(float), cudaMemcpyHostToDevice);
  centre<<<n / 256, 256>>>(volts, level, 0.25f, n);
  widen<<<n / 256, 256>>>(level, out, 3.0f, n);
  cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  return host[7] > 0 ? 1 : 0;
}
`,
  );
  const ended = await place.run(["optimize", "chain.cu", "--json", "--candidates", "2"]);
  const kernels = lastObject(ended)["kernels"] as { readonly outcome?: string; readonly within?: string }[];
  expect({ code: ended.code, kernels: kernels.map(({ outcome, within }) => outcome ?? within) }).toEqual({
    code: 0,
    kernels: ["improved", "centre"],
  });
});

test("--apply writes the proposal, which is then correct on its own", async () => {
  const ended = await place.run(["optimize", "transpose.cu", "--apply", "--candidates", "4"]);
  expect({ code: ended.code, errors: ended.code === 0 ? "" : ended.errors }).toEqual({ code: 0, errors: "" });
  expect(ended.output).toMatch(/wrote .*transpose\.cu/);
  const checked = await place.run(["check", "transpose.cu", "--json"]);
  expect([checked.code, (lastObject(checked)["verdict"] as { kind: string }).kind]).toEqual([0, "correct"]);
});

test("a Triton kernel is improved", async () => {
  expectWin(await place.run(["optimize", "softmax.py", "--json", "--candidates", "1"]), "globalLoadSectors");
});

const modelKey = "sk-cli-test-0123456789abcdef";

/**
 * A model that edits transpose.cu once, submits that and finishes.
 * @returns the report, and the answer that the model got for what it submitted
 */
async function refineOnce(
  edit: { readonly old_text: string; readonly new_text: string },
  hypothesis: string,
  flags: readonly string[] = [],
): Promise<{ readonly ended: Ended; readonly report: Report; readonly answer: string }> {
  const server = await startOpenAiServer({
    key: modelKey,
    replies: [
      { calls: [{ name: "edit", arguments: { path: "transpose.cu", ...edit } }] },
      { calls: [{ name: "submit_candidate", arguments: { hypothesis } }] },
      { calls: [{ name: "finish", arguments: { reason: "Nothing else to try." } }] },
    ],
  });
  try {
    const model = ["--strategy", "refine", "--model", "scripted", "--endpoint", server.url];
    const ended = await place.run(["optimize", "transpose.cu", "--json", ...model, ...flags], {
      KERNELWRIGHT_MODEL_KEY: modelKey,
    });
    const answer = server.requests[2]?.body.messages.findLast((message) => message.role === "tool")?.content;
    return { ended, report: reportOf(ended), answer: answer ?? "" };
  } finally {
    await server.close();
  }
}

test("a rewrite of a model that races is rejected with both lines, and the model is told", async () => {
  const { ended, report, answer } = await refineOnce(
    { old_text: "  __syncthreads();\n", new_text: "  __syncwarp();\n" },
    "A warp's barrier is cheaper than a block's.",
  );
  const race =
    /transpose\.cu:\d+: race in shared memory: thread \(\d+,\d+,0\) of block \(0,0,0\) \w+ 4 bytes at shared\+0x[\da-f]+ that thread \(\d+,\d+,0\) \w+ on line \d+/;
  expect({ code: ended.code, outcome: report.outcome }).toEqual({ code: 1, outcome: "no-gain" });
  expect(report.candidates.find((candidate) => candidate.id === "c1")?.reason).toMatch(race);
  expect(answer).toMatch(race);
});

test("a wrong rewrite of a model is rejected with shape, index, expected and actual value", async () => {
  const wrong = "output[(row + step) * rows + column] = tile[threadIdx.x][threadIdx.y + step]";
  const { ended, report, answer } = await refineOnce(
    { old_text: wrong, new_text: wrong.replace("[threadIdx.y + step]", "[threadIdx.y]") },
    "Reads one row of the tile again, which saves an addition.",
  );
  expect({ code: ended.code, outcome: report.outcome, best: report.best }).toEqual({
    code: 1,
    outcome: "no-gain",
    best: null,
  });
  const dropped = report.candidates.find((candidate) => candidate.id === "c1");
  expect(dropped?.stage).toBe("launched");
  expect(dropped?.reason).toMatch(
    /shape rows=\d+ columns=\d+: output\[\d+, \d+\]: expected -?[\d.e-]+, got -?[\d.e-]+/,
  );
  expect(answer).toMatch(/expected -?[\d.e-]+, got -?[\d.e-]+/);
  const log = readFileSync(join(report.session.folder, "events-000001.jsonl"), "utf8");
  expect(log + ended.errors + ended.output).not.toContain(modelKey);
});

test.each([
  { flags: ["--apply"], applied: [] },
  { flags: ["--apply", "--reviewed"], applied: ["transpose.cu"] },
])(
  "a version that needs a review is written only once it was looked at: $flags",
  async ({ flags, applied }) => {
    const tile = "  __shared__ float tile[kTile][kTile];\n";
    const padded = tile.replace("[kTile];", "[kTile + 1];");
    const asks = "  if (clock64() == 0) return;\n";
    const { ended, report } = await refineOnce(
      { old_text: tile, new_text: padded + asks },
      "Pads the tile, so that a column lies in all banks.",
      flags,
    );
    expect({ code: ended.code, ...report }).toMatchObject({
      code: 0,
      outcome: "improved",
      applied,
      needsReview: [
        expect.stringMatching(/^needs a review: transpose\.cu:\d+: .*tell a run that is checked/),
      ],
    });
    expect(readFileSync(join(place.samples, "transpose.cu"), "utf8").includes(asks)).toBe(applied.length > 0);
  },
);

interface ListedSession {
  readonly sessionId: string;
  readonly status: string;
  readonly reason: string;
  readonly folder: string;
}

/** What `sessions --json` lists. */
async function sessionsOf(): Promise<readonly ListedSession[]> {
  const { output } = await place.run(["sessions", "--json"]);
  return (JSON.parse(output) as { readonly sessions: readonly ListedSession[] }).sessions;
}

test("killed before its first event: the session says so, and so does resume", async () => {
  const running = place.start(["optimize", "transpose.cu", "--candidates", "4"]);
  await running.sees("baseline");
  running.kill("SIGKILL");
  await running.ended;
  const [session] = await sessionsOf();
  // The log as it is between its making and its first line.
  writeFileSync(join(session?.folder ?? "", "events-000001.jsonl"), "");
  expect((await sessionsOf()).map(({ status, reason }) => ({ status, reason }))).toEqual([
    { status: "crashed", reason: "it ended before its first event was written" },
  ]);
  const resumed = await place.run(["resume", session?.sessionId ?? "", "--json"]);
  expect({ code: resumed.code, ...lastObject(resumed) }).toEqual({
    code: 3,
    outcome: "failed",
    error: {
      code: "session-not-found",
      message: `Session ${session?.sessionId} holds nothing: its process ended before the first event was written. There is nothing to go on with; start a new one.`,
      remedy: "kernelwright optimize FILE",
    },
  });
});

test("killed in the middle: nothing has changed, the session is there, resume goes on to a win", async () => {
  const before = place.contents();
  const running = place.start(["optimize", "transpose.cu", "--candidates", "4"]);
  await running.sees("c1 ");
  running.kill("SIGKILL");
  await running.ended;
  expect(place.contents()).toEqual(before);
  const listed = await sessionsOf();
  expect(listed.map((session) => session.status)).toEqual(["crashed"]);
  const resumed = await place.run(["resume", listed[0]?.sessionId ?? "", "--json", "--candidates", "4"]);
  const report = expectWin(resumed, "sharedWavefronts");
  expect(report.session.id).toBe(listed[0]?.sessionId);
  expect(place.contents()).toEqual(before);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "Ctrl-C, an end asked for or a closed terminal ends the session in order: %s",
  async (signal) => {
    const running = place.start(["optimize", "transpose.cu", "--json"]);
    await running.sees("baseline");
    running.kill(signal);
    const ended = await running.ended;
    expect([ended.code, reportOf(ended).outcome]).toEqual([130, "cancelled"]);
    const listed = await sessionsOf();
    expect(listed.map((session) => session.status)).toEqual(["cancelled"]);
  },
);

/** An element-wise kernel in which it matters which thread handles an element. */
const heldBack = `__global__ void twice(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i] + threadIdx.x * 0;
}
void run(const float* x, float* y, int n) { twice<<<(n + 255) / 256, 256>>>(x, y, n); }
`;

test("without a gain it says what holds each rule back: in the terminal, in JSON, in the log and in the report", async () => {
  writeFileSync(join(place.samples, "twice.cu"), heldBack);
  writeFileSync(
    join(place.samples, "twice.cu.kernel.json"),
    JSON.stringify(specOf("twice.cu::twice", "2 * x")),
  );
  const shown = await place.run(["optimize", "twice.cu"]);
  const line = "Give each thread several neighbouring elements: line 3: threadIdx is used beside the element";
  expect([shown.code, shown.output.split("\n").filter((each) => each.includes(line)).length]).toEqual([1, 1]);
  const ended = await place.run(["optimize", "twice.cu", "--json"]);
  const { rules, session } = lastObject(ended) as {
    rules: { rule: string }[];
    session: { id: string; folder: string };
  };
  expect(rules.find(({ rule }) => rule === "cuda-vectorize-threads")).toEqual({
    rule: "cuda-vectorize-threads",
    title: "Give each thread several neighbouring elements",
    because: "dependence",
    sentence: "threadIdx is used beside the element",
    line: 3,
  });
  const log = readFileSync(join(session.folder, "events-000001.jsonl"), "utf8");
  expect(log.split("\n").filter((each) => each.includes('"rules.held_back"')).length).toBe(1);
  const report = await place.run(["export", session.id, "--format", "markdown"]);
  expect(report.output).toContain("## What holds each rule back");
});

const noServer = sshdProblem();

describe.skipIf(noServer !== undefined)(
  `over a real sshd on the loopback${noServer === undefined ? "" : ` (left out: ${noServer})`}`,
  () => {
    test("the same job on an ssh target", async () => {
      const sshd = await startSshd();
      try {
        const ended = await place.run(
          ["optimize", "transpose.cu", "--json", "--candidates", "1", "--target", `ssh:${sshd.host}`],
          { KERNELWRIGHT_SSH_CONFIG: sshd.configFile, KERNELWRIGHT_REMOTE_PYTHON: python },
        );
        expectWin(ended, "sharedWavefronts");
      } finally {
        await sshd.stop();
      }
    });
  },
);

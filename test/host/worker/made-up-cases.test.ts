import { expect, test } from "vitest";
import type { ChallengeOutcome, ChallengeRequest } from "../../../server/core/ports/evaluator";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { describeFailure } from "../../../server/core/words/describe";
import type { Recordings } from "../../../server/core/ports/recordings";
import { noRecordings } from "../../harness/no-recordings";
import { evaluatorOfFile, startEvaluator } from "./evaluation-under-test";

const under = evaluatorOfFile();

const spec: KernelSpec = {
  file: "rowmax.cu",
  kernel: "rowmax",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      grid: ["rows"],
      block: [32],
      arguments: ["x", "y", { value: "columns", dtype: "int32" }],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["rows", "columns"] } },
  outputs: { y: { dtype: "float32", shape: ["rows"] } },
  shapes: [{ sizes: { rows: 8, columns: 64 } }, { sizes: { rows: 3, columns: 33 } }],
  reference: { kind: "expression", expressions: { y: "x.max(axis=1)" } },
  objective: "modelled-bound",
};

/** The largest value of each row: a warp for a row. */
const rowmaxWith = (start: string, last = "columns"): string => `
__global__ void rowmax(const float* x, float* y, int columns) {
  const float* row = x + (size_t)blockIdx.x * columns;
  float most = ${start};
  for (int i = threadIdx.x; i < ${last}; i += 32) most = fmaxf(most, row[i]);
  for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, offset));
  if (threadIdx.x == 0) y[blockIdx.x] = most;
}
`;
// It reads no row to its end that is longer than 500.
const original = rowmaxWith("-INFINITY", "min(columns, 500)");

type Made = ChallengeRequest["made"];
const made = (sizes: Record<string, number>, more: Partial<Made> = {}): Made => ({
  sizes,
  variant: "declared",
  ...more,
});
const all = (value: number): Partial<Made> => ({ inputs: { x: { kind: "constant", value } } });
const nobody = (reason: string): unknown => ({ kind: "void", reason });

/** Each candidate passes the full check; then a case is run on it. */
const candidates = [
  {
    what: "a number that stands for none",
    candidate: original.replace("fmaxf(most, row[i])", "row[i] == -200.0f ? most : fmaxf(most, row[i])"),
    cases: [
      [made({ rows: 2, columns: 64 }), { kind: "passed" }],
      [
        made({ rows: 4, columns: 40 }, all(-200)),
        "shape rows=4 columns=40: y[0]: expected -200, got -Infinity (4 of 4 wrong, …",
      ],
      [made({ rows: 20, columns: 600 }), nobody("the original does not pass it")],
      [
        made({ rows: 2, columns: 64 }, all(-20_000)),
        nobody("it is beyond the spec: x cannot hold such values"),
      ],
    ],
  },
  {
    what: "a branch that one size takes",
    candidate: rowmaxWith("-INFINITY", "(columns == 77 ? 32 : min(columns, 500))"),
    cases: [
      [made({ rows: 2, columns: 76 }), { kind: "passed" }],
      [made({ rows: 60, columns: 77 }), "shape rows=60 columns=77: y["],
    ],
  },
  {
    what: "a read behind the rows of one size",
    candidate: rowmaxWith("-INFINITY", "(columns == 96 ? 128 : min(columns, 500))"),
    cases: [[made({ rows: 2, columns: 96 }), "did-not-run out-of-bounds"]],
  },
  {
    what: "a right one",
    candidate: `// Another text.${original}`,
    cases: [
      [made({ rows: 5, columns: 77 }, all(-200)), { kind: "passed" }],
      [made({ rows: 5, columns: 1 }, { variant: "infinite" }), { kind: "passed" }],
      [made({ rows: 5, columns: 3 }, { inputs: { x: "sorted" } }), { kind: "passed" }],
    ],
  },
] as const;

test.each(candidates)("a case that somebody made up: $what", async ({ candidate, cases }) => {
  const { signal } = new AbortController();
  const target = { kind: "vgpu", architecture: "sm_80" } as const;
  const baseline = { "rowmax.cu": original };
  const evaluation = await under.evaluator.open({ spec, specFolder: "", target, baseline }, signal);
  try {
    const tree = { "rowmax.cu": candidate };
    const checked = await evaluation.check({ tree, tier: "full", counters: true, signal });
    expect(checked.kind === "checked" && checked.cases.every(({ passed }) => passed)).toBe(true);
    for (const [given, expected] of cases) {
      const outcome = told(await evaluation.challenge?.({ tree, made: given, signal }));
      if (typeof expected === "string") expect(JSON.stringify(outcome)).toContain(expected.replace(/…$/, ""));
      else expect(outcome).toEqual(expected);
    }
  } finally {
    await evaluation.close();
  }
});

const content = new Float32Array(8 * 64).fill(0.5);
const recordings: Recordings = {
  ...noRecordings,
  load: () => Promise.resolve(new Uint8Array(content.buffer)),
};

test("a case on a launch that a program made draws its real numbers anew, at its sizes", async () => {
  const { signal } = new AbortController();
  const { evaluator, close } = startEvaluator({ recordings });
  const inputs = { x: { ...spec.inputs["x"], distribution: { kind: "recorded" } } } as KernelSpec["inputs"];
  const launched = { sizes: { rows: 8, columns: 64 }, recorded: { x: "0".repeat(64) } };
  const evaluation = await evaluator.open(
    {
      spec: { ...spec, inputs, shapes: [launched], reference: { kind: "baseline" } },
      specFolder: "",
      target: { kind: "vgpu", architecture: "sm_80" },
      baseline: { "rowmax.cu": original },
    },
    signal,
  );
  try {
    const tree = { "rowmax.cu": rowmaxWith("-100.0f", "min(columns, 500)") };
    const challenge = async (given: Made): Promise<unknown> =>
      told(await evaluation.challenge?.({ tree, made: given, signal }));
    expect(JSON.stringify(await challenge(made(launched.sizes, all(-200))))).toContain(
      "y[0]: expected -200, got -100 (8 of 8 wrong",
    );
    expect(await challenge(made(launched.sizes, all(-50)))).toEqual({ kind: "passed" });
    expect(await challenge(made({ rows: 2, columns: 64 }, all(-200)))).toEqual(
      nobody("it is beyond the spec: it has not the sizes and values of a recorded launch"),
    );
  } finally {
    await evaluation.close();
    await close();
  }
});

function told(outcome: ChallengeOutcome | undefined): unknown {
  if (outcome?.kind === "failed") return describeFailure(outcome.checked);
  if (outcome?.kind === "did-not-run")
    return `did-not-run ${outcome.findings.map(({ kind }) => kind).join(" ")}`;
  return outcome;
}

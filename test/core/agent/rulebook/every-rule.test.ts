import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rules } from "../../../../server/core/agent/rulebook/index";
import { ruleEntries } from "../../../../server/core/agent/rulebook/rule-table";
import type { CounterName } from "../../../../server/core/timing/counters";
import type { CheckOutcome, EvaluationTask } from "../../../../server/core/ports/evaluator";
import { unseenKernels } from "../../../unseen/index";
import { ruleParse } from "./grammars";
import { evaluatorOfFile } from "../../../host/worker/evaluation-under-test";
import { readSpec, sampleTask } from "./real-evaluation";
import { sampleCases } from "./sample-cases";

const { evaluator } = evaluatorOfFile();

const caseFolder = join(__dirname, "../../../cases/rulebook");

/** A kernel of the rules' cases, its marks taken off, with a spec of its own. */
function caseTask(path: string, spec: object): EvaluationTask {
  const file = path.split("/").at(-1) ?? path;
  const source = readFileSync(join(caseFolder, path), "utf8")
    .split("\n")
    .slice(1)
    .map((line) => line.replace(/\s*(\/\/|#)@ .*$/, ""))
    .join("\n");
  return {
    spec: readSpec(JSON.stringify({ version: 1, objective: "modelled-bound", ...spec })),
    specFolder: "",
    target: { kind: "vgpu", architecture: "sm_80" },
    baseline: { [file]: source },
  };
}

const rowSum = (): EvaluationTask =>
  caseTask("cuda-shuffle-tree-reduction/sum.cu", {
    kernel: "sum.cu::row_sum",
    launch: { grid: ["rows"], arguments: ["x", "y", { value: "columns", dtype: "int32" }] },
    inputs: { x: { dtype: "float32", shape: ["rows", "columns"] } },
    outputs: { y: { dtype: "float32", shape: ["rows"] } },
    shapes: [{ sizes: { rows: 16, columns: 500 } }, { sizes: { rows: 3, columns: 7 } }],
    reference: { expressions: { y: "x.sum(axis=1)" } },
  });

const axpy = (): EvaluationTask =>
  caseTask("cuda-vectorize-threads/one-element-each.cu", {
    kernel: "one-element-each.cu::axpy",
    launch: { arguments: [{ value: 2, dtype: "float32" }, "x", "y", "z", { value: "n", dtype: "int32" }] },
    inputs: { x: { dtype: "float32", shape: ["n"] }, y: { dtype: "float32", shape: ["n"] } },
    outputs: { z: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1027 } }, { sizes: { n: 2 } }],
    reference: { expressions: { z: "2 * x + y" } },
  });

const pick = (): EvaluationTask =>
  caseTask("cuda-index-registers/table.cu", {
    kernel: "table.cu::pick",
    launch: { arguments: ["x", "which", "y", { value: "n", dtype: "int32" }] },
    inputs: {
      x: { dtype: "float32", shape: ["n"] },
      which: { dtype: "int32", shape: ["n"], distribution: { kind: "range", low: 0, high: 3 } },
    },
    outputs: { y: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1027 } }],
    reference: { expressions: { y: "(which + 1) * x" } },
  });

const votes = (): EvaluationTask =>
  caseTask("cuda-spread-counters/few-bins.cu", {
    kernel: "few-bins.cu::votes",
    launch: {
      ...{ grid: ["4"], block: [256] },
      arguments: ["choice", "weight", "total", { value: "n", dtype: "int32" }],
    },
    inputs: {
      choice: { dtype: "uint8", shape: ["n"], distribution: { kind: "range", low: 0, high: 5 } },
      weight: { dtype: "uint32", shape: ["n"], distribution: { kind: "range", low: 0, high: 9 } },
      total: { dtype: "uint32", shape: [6], distribution: { kind: "constant", value: 0 } },
    },
    outputs: { total: { dtype: "uint32", shape: [6] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1027 } }],
    reference: "baseline",
  });

const decibels = (): EvaluationTask =>
  caseTask("cuda-constant-base/decibels.cu", {
    kernel: "decibels.cu::apply_gain",
    launch: {
      ...{ grid: ["ceil_div(n, 128)"], block: [128] },
      arguments: ["in", "out", "gain_db", { value: "n", dtype: "int32" }],
    },
    inputs: { in: { dtype: "float32", shape: ["n"] }, gain_db: { dtype: "float32", shape: ["n"] } },
    outputs: { out: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1027 } }],
    reference: "baseline",
  });

const weights = (): EvaluationTask =>
  caseTask("cuda-all-digits/stencil-of-weights.cu", {
    kernel: "stencil-of-weights.cu::weights",
    entry: {
      call: "stencil-of-weights.cu::run",
      arguments: ["at", "taps", { value: "n", dtype: "int32" }],
    },
    inputs: { at: { dtype: "float32", shape: ["n"] } },
    outputs: { taps: { dtype: "float32", shape: ["n", 8] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1027 } }],
    reference: "baseline",
  });

const span = (): EvaluationTask =>
  caseTask("cuda-second-pass/range-of-values.cu", {
    kernel: "range-of-values.cu::span",
    entry: {
      call: "range-of-values.cu::measure",
      arguments: ["x", "out", { value: "n", dtype: "int32" }],
    },
    inputs: { x: { dtype: "float32", shape: ["n"] } },
    outputs: { out: { dtype: "float32", shape: [4] } },
    shapes: [{ sizes: { n: 65536 } }, { sizes: { n: 1027 } }, { sizes: { n: 3 } }],
    reference: "baseline",
    tolerance: { absolute: 1e-3, relative: 1e-4 },
  });

const pastOnly = (): EvaluationTask =>
  caseTask("cuda-skip-masked-turns/online-softmax.cu", {
    kernel: "online-softmax.cu::past_only",
    launch: {
      ...{ grid: ["ceil_div(steps, 64)"], block: [64] },
      arguments: [
        ...["query", "keys", "values", "out"],
        ...[
          { value: "steps", dtype: "int32" },
          { value: 0.5, dtype: "float32" },
        ],
      ],
    },
    inputs: {
      query: { dtype: "float32", shape: ["steps", 32] },
      keys: { dtype: "float32", shape: ["steps", 32] },
      values: { dtype: "float32", shape: ["steps", 32] },
    },
    outputs: { out: { dtype: "float32", shape: ["steps", 32] } },
    shapes: [{ sizes: { steps: 320 } }, { sizes: { steps: 77 } }],
    reference: "baseline",
  });

const nearOnly = (): EvaluationTask =>
  caseTask("triton-skip-masked-turns/window-of-blocks.py", {
    kernel: "window-of-blocks.py::near_only",
    entry: { call: "window-of-blocks.py::run", arguments: ["q", "k", { value: 40, dtype: "int32" }] },
    inputs: { q: { dtype: "float32", shape: ["n"] }, k: { dtype: "float32", shape: ["n"] } },
    outputs: { o: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 1024 } }, { sizes: { n: 301 } }],
    reference: "baseline",
  });

const torus = (): EvaluationTask =>
  caseTask("cuda-compare-for-remainder/offsets-of-a-table.cu", {
    kernel: "offsets-of-a-table.cu::field",
    launch: {
      ...{ grid: ["ceil_div(side, 64)", "side"], block: [64] },
      arguments: [
        ...["spin", "offset", "out"],
        ...[
          { value: "side", dtype: "int32" },
          { value: "count", dtype: "int32" },
        ],
      ],
    },
    inputs: {
      spin: { dtype: "float32", shape: ["side", "side"] },
      offset: { dtype: "int32", shape: ["2 * count"], distribution: { kind: "range", low: -3, high: 3 } },
    },
    outputs: { out: { dtype: "float32", shape: ["side", "side"] } },
    shapes: [{ sizes: { side: 128, count: 8 } }, { sizes: { side: 33, count: 5 } }],
    reference: "baseline",
  });

const halfPower = (): EvaluationTask =>
  caseTask("triton-convert-in-registers/floats-behind.py", {
    kernel: "floats-behind.py::power_kernel",
    entry: { call: "floats-behind.py::power", arguments: ["x"] },
    inputs: { x: { dtype: "bfloat16", shape: ["n"] } },
    outputs: { y: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 301 } }],
    reference: "baseline",
  });

const turnedRows = (): EvaluationTask =>
  caseTask("triton-read-in-place/turned-for-flat.py", {
    kernel: "turned-for-flat.py::square_rows",
    entry: { call: "turned-for-flat.py::squares", arguments: ["x"] },
    inputs: { x: { dtype: "float32", shape: ["batch", "rows", "columns"] } },
    outputs: { y: { dtype: "float32", shape: ["batch", "columns", "rows"] } },
    shapes: [{ sizes: { batch: 2, rows: 64, columns: 32 } }, { sizes: { batch: 3, rows: 5, columns: 33 } }],
    reference: { expressions: { y: "(x * x).transpose(0, 2, 1)" } },
  });

const scores = (): EvaluationTask =>
  caseTask("triton-float-dot-for-sum/factors-by-name.py", {
    kernel: "factors-by-name.py::scores_kernel",
    entry: { call: "factors-by-name.py::attention_scores", arguments: ["q", "k"] },
    inputs: {
      q: { dtype: "float32", shape: [1, 2, "steps", 32] },
      k: { dtype: "float32", shape: [1, 2, "steps", 32] },
    },
    outputs: { s: { dtype: "float32", shape: [1, 2, "steps", "steps"] } },
    shapes: [{ sizes: { steps: 64 } }, { sizes: { steps: 33 } }],
    reference: "baseline",
  });

const channels = (): EvaluationTask =>
  caseTask("triton-turns-in-grid/channels-in-turn.py", {
    kernel: "channels-in-turn.py::instance_norm",
    entry: { call: "channels-in-turn.py::inorm", arguments: ["x"] },
    inputs: { x: { dtype: "float32", shape: ["n", "c", 8, 16] } },
    outputs: { y: { dtype: "float32", shape: ["n", "c", 8, 16] } },
    shapes: [{ sizes: { n: 2, c: 16 } }, { sizes: { n: 3, c: 5 } }],
    reference: "baseline",
  });

const eachFrame = (): EvaluationTask =>
  caseTask("triton-batch-in-grid/frames.py", {
    kernel: "frames.py::lift_kernel",
    entry: { call: "frames.py::lift", arguments: ["frames", "gains"] },
    inputs: {
      frames: { dtype: "float32", shape: ["count", "rows", "columns"] },
      gains: { dtype: "float32", shape: ["columns"] },
    },
    outputs: { out: { dtype: "float32", shape: ["count", "rows", "columns"] } },
    shapes: [{ sizes: { count: 8, rows: 16, columns: 64 } }, { sizes: { count: 3, rows: 5, columns: 33 } }],
    reference: "baseline",
  });

const everyNth = (): EvaluationTask =>
  caseTask("triton-contiguous-programs/every-nth.py", {
    kernel: "every-nth.py::vector_add_kernel",
    entry: { call: "every-nth.py::vector_add", arguments: ["a", "b"] },
    inputs: { a: { dtype: "float32", shape: ["n"] }, b: { dtype: "float32", shape: ["n"] } },
    outputs: { out: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1001 } }],
    reference: { expressions: { out: "a + b" } },
  });

const total = (): EvaluationTask =>
  caseTask("triton-sum-first/few-programs.py", {
    kernel: "few-programs.py::total",
    entry: { call: "few-programs.py::run", arguments: ["x"] },
    inputs: { x: { dtype: "float32", shape: ["n"] } },
    outputs: { y: { dtype: "float32", shape: [1] } },
    shapes: [{ sizes: { n: 4096 } }, { sizes: { n: 301 } }],
    reference: { expressions: { y: "x.sum().reshape(1)" } },
    tolerance: { absolute: 1e-3, relative: 1e-4 },
  });

const columnPower = (): EvaluationTask =>
  caseTask("triton-sum-tile-first/columns-of-a-tile.py", {
    kernel: "columns-of-a-tile.py::column_sums",
    entry: { call: "columns-of-a-tile.py::power_by_column", arguments: ["grid"] },
    inputs: { grid: { dtype: "float32", shape: ["height", "width"] } },
    outputs: { sums: { dtype: "float32", shape: ["width"] } },
    shapes: [{ sizes: { height: 256, width: 192 } }, { sizes: { height: 77, width: 35 } }],
    reference: { expressions: { sums: "(grid * grid).sum(0)" } },
    tolerance: { absolute: 1e-3, relative: 1e-4 },
  });

const blend = (): EvaluationTask =>
  caseTask("triton-other-configuration/three-lengths.py", {
    kernel: "three-lengths.py::blend",
    entry: { call: "three-lengths.py::composite", arguments: ["under", "over", "share"] },
    inputs: {
      under: { dtype: "float32", shape: ["n"] },
      over: { dtype: "float32", shape: ["n"] },
      share: { dtype: "float32", shape: ["n"] },
    },
    outputs: { out: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1001 } }],
    reference: { expressions: { out: "under + share * (over - under)" } },
  });

interface RuleCase {
  readonly task: () => EvaluationTask;
  readonly counter: CounterName;
  /** The kernel's total before, and the total after as a fraction of it at most. */
  readonly most: number;
}

/** Rules that take no part in the sessions of the samples. */
const cases: Readonly<Record<string, RuleCase>> = {
  "cuda-swizzle-shared-tile": {
    task: () => sampleTask("transpose.cu"),
    counter: "sharedWavefronts",
    most: 0.07,
  },
  "cuda-vectorize-threads": { task: axpy, counter: "globalLoadRequests", most: 0.26 },
  "cuda-all-digits": { task: weights, counter: "divergentBranches", most: 0.1 },
  // The one block still does what it did: with fewer elements.
  "cuda-second-pass": { task: span, counter: "barriers", most: 1 },
  "cuda-constant-base": { task: decibels, counter: "instructions", most: 0.7 },
  "cuda-index-registers": { task: pick, counter: "localRequests", most: 0 },
  "cuda-spread-counters": { task: votes, counter: "sharedAtomicPasses", most: 0.4 },
  "cuda-stage-reused-row": { task: () => sampleTask("softmax.cu"), counter: "globalLoadSectors", most: 0.34 },
  "cuda-shuffle-tree-reduction": { task: rowSum, counter: "barriers", most: 0.6 },
  "cuda-skip-masked-turns": { task: pastOnly, counter: "instructions", most: 0.75 },
  "triton-skip-masked-turns": { task: nearOnly, counter: "instructions", most: 0.6 },
  // What stands for a division is no instruction of PTX.
  "cuda-compare-for-remainder": { task: torus, counter: "globalLoadRequests", most: 1 },
  "triton-convert-in-registers": { task: halfPower, counter: "globalLoadSectors", most: 0.6 },
  // A row is read along a column, and no copy of the whole is made in front of it.
  "triton-read-in-place": { task: turnedRows, counter: "instructions", most: 4 },
  "triton-float-dot-for-sum": { task: scores, counter: "instructions", most: 0.9 },
  // Each program begins for itself, and no turn is counted.
  "triton-turns-in-grid": { task: channels, counter: "instructions", most: 1.5 },
  // One launch does what eight did, and a little to find its member.
  "triton-batch-in-grid": { task: eachFrame, counter: "globalLoadSectors", most: 1 },
  "triton-contiguous-programs": { task: everyNth, counter: "globalLoadSectors", most: 0.3 },
  "triton-sum-tile-first": { task: columnPower, counter: "globalAtomicPasses", most: 0.1 },
  "triton-sum-first": { task: total, counter: "globalAtomicPasses", most: 0.1 },
  "triton-other-configuration": { task: blend, counter: "globalLoadRequests", most: 0.13 },
  "triton-fewer-warps": {
    task: () => sampleTask("vector_add.py"),
    counter: "globalLoadRequests",
    most: 0.51,
  },
};

type Checked = Extract<CheckOutcome, { kind: "checked" }>;

function checked(outcome: CheckOutcome): Checked {
  if (outcome.kind !== "checked") throw new Error(JSON.stringify(outcome));
  return outcome;
}

/** Measures the kernel, applies the rule to what was measured, and says what became of the counter. */
async function applied(
  rule: string,
  { task: makeTask, counter }: RuleCase,
): Promise<{ readonly passed: boolean; readonly before: number; readonly now: number }> {
  const signal = new AbortController().signal;
  const task = makeTask();
  const evaluation = await evaluator.open(task, signal);
  try {
    const { baseline: tree, spec } = task;
    const { counters, facts, bound, launches } = checked(
      await evaluation.check({ tree, tier: "quick", counters: true, signal }),
    );
    if (counters === undefined || bound === undefined) throw new Error("counters were asked for");
    const shapes = spec.shapes.filter((shape) => shape.heldOut !== true);
    const { file, kernel, dialect } = spec;
    const input = {
      tree,
      file,
      kernel,
      dialect,
      spec: { ...spec, shapes },
      counters,
      facts,
      bound,
      launches: launches?.map((launch) => ({ ...launch, times: 1, bound })),
      sizes: shapes[0]?.sizes ?? {},
      parse: await ruleParse(),
    };
    const answers = rules.find((each) => each.id === rule)?.answer(input) ?? [];
    const proposal = answers.find((answer) => answer.kind === "proposal");
    if (proposal === undefined) throw new Error(`${rule} does not fire: ${JSON.stringify(answers)}`);
    const judged = checked(
      await evaluation.check({ tree: proposal.tree, tier: "full", counters: true, signal }),
    );
    return {
      passed: judged.cases.every((each) => each.passed),
      before: counters.totals[counter],
      now: judged.counters?.totals[counter] ?? Infinity,
    };
  } finally {
    await evaluation.close();
  }
}

test("every rule is tried on a real kernel, here, in the session of a sample, or by npm run rules", () => {
  const tried = new Set([
    ...Object.keys(cases),
    ...sampleCases.flatMap(({ won, dropped }) => [...won, ...dropped]),
    ...unseenKernels().flatMap(({ rules: won = [] }) => won),
  ]);
  const rewriting = ruleEntries().flatMap(({ id, hypothesis }) => (hypothesis === "" ? [] : [id]));
  expect([...tried].sort()).toEqual(rewriting.sort());
});

test.each(Object.entries(cases))(
  "%s fires on real counters, stays correct and lowers its counter",
  async (rule, entry) => {
    const { passed, before, now } = await applied(rule, entry);
    expect({ passed, lowered: now <= before * entry.most }, `${entry.counter} ${before} → ${now}`).toEqual({
      passed: true,
      lowered: true,
    });
  },
);

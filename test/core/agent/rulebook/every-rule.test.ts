import { expect, test } from "vitest";
import { rules } from "../../../../server/core/agent/rulebook/index";
import { ruleEntries } from "../../../../server/core/agent/rulebook/rule-table";
import type { CounterName } from "../../../../server/core/timing/counters";
import type { EvaluationTask } from "../../../../server/core/ports/evaluator";
import { unseenKernels } from "../../../unseen/index";
import { ruleParse } from "./grammars";
import { evaluatorOfFile } from "../../../host/worker/evaluation-under-test";
import { type Checked, checked, onMeasured } from "./measured-task";
import { sampleTask } from "./real-evaluation";
import { onEachShape, rewriteTier } from "./rewrite-tier";
import * as hosts from "./host-tasks";
import * as order from "./order-tasks";
import * as tasks from "./rule-tasks";
import { sampleCases } from "./sample-cases";

const { evaluator } = evaluatorOfFile();

interface RuleCase {
  readonly task: () => EvaluationTask;
  /** Of the kernel, or the nanoseconds of its host code. */
  readonly counter: CounterName | "hostCalls";
  /** The total before, and the total after as a fraction of it at most. */
  readonly most: number;
}

const bytesAlone = (): EvaluationTask =>
  tasks.caseTask("triton-round-operands/bytes-alone.py", {
    kernel: "bytes-alone.py::product",
    entry: { call: "bytes-alone.py::run", arguments: ["x", "w"] },
    inputs: {
      x: { dtype: "int8", shape: ["m", "k"], distribution: { kind: "range", low: -9, high: 9 } },
      w: { dtype: "int8", shape: ["n", "k"], distribution: { kind: "range", low: -9, high: 9 } },
    },
    outputs: { y: { dtype: "float32", shape: ["m", "n"] } },
    shapes: [{ sizes: { m: 64, n: 64, k: 64 } }, { sizes: { m: 64, n: 128, k: 32 } }],
    reference: "baseline",
  });

const bellWindow = (): EvaluationTask =>
  tasks.caseTask("triton-keep-tables/window-of-a-function.py", {
    kernel: "window-of-a-function.py::window_kernel",
    entry: { call: "window-of-a-function.py::windowed", arguments: ["x"] },
    inputs: { x: { dtype: "float32", shape: ["rows", "n"] } },
    outputs: { y: { dtype: "float32", shape: ["rows", "n"] } },
    shapes: [{ sizes: { rows: 4, n: 256 } }, { sizes: { rows: 3, n: 77 } }],
    reference: "baseline",
  });

const smoothed = (): EvaluationTask =>
  tasks.caseTask("triton-take-turns/smoothed-field.py", {
    kernel: "smoothed-field.py::smooth",
    entry: { call: "smoothed-field.py::smoothed", arguments: ["start"] },
    inputs: { start: { dtype: "float32", shape: ["n"] } },
    outputs: { out: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 4096 } }, { sizes: { n: 1001 } }],
    reference: "baseline",
  });

const whitened = (): EvaluationTask =>
  tasks.caseTask("triton-tiles-in-turn/row-statistics.py", {
    kernel: "row-statistics.py::whiten_tile",
    entry: { call: "row-statistics.py::whiten", arguments: ["x", "gamma"] },
    inputs: { x: { dtype: "float32", shape: ["rows", "n"] }, gamma: { dtype: "float32", shape: ["n"] } },
    outputs: { y: { dtype: "float32", shape: ["rows", "n"] } },
    shapes: [{ sizes: { rows: 8, n: 2048 } }, { sizes: { rows: 3, n: 300 } }],
    reference: "baseline",
  });

const decayOfDistances = (): EvaluationTask =>
  tasks.caseTask("triton-values-in-turn/decay-of-each-distance.py", {
    kernel: "decay-of-each-distance.py::weigh",
    entry: {
      call: "decay-of-each-distance.py::weighed",
      arguments: ["x", "age", { value: 0.25, dtype: "float64" }],
    },
    inputs: {
      x: { dtype: "float32", shape: ["rows", "channels", "width"] },
      age: { dtype: "float32", shape: ["rows", "width"], distribution: "uniform" },
    },
    outputs: { y: { dtype: "float32", shape: ["rows", "channels", "width"] } },
    shapes: [
      { sizes: { rows: 64, channels: 16, width: 100 } },
      { sizes: { rows: 3, channels: 9, width: 64 } },
    ],
    reference: "baseline",
  });

const blocksBefore = (): EvaluationTask =>
  tasks.caseTask("triton-carry-prefix/blocks-before.py", {
    kernel: "blocks-before.py::running",
    entry: { call: "blocks-before.py::run", arguments: ["g"] },
    inputs: { g: { dtype: "float32", shape: ["b", "t", "d"] } },
    outputs: { out: { dtype: "float32", shape: ["b", "t", "d"] } },
    shapes: [{ sizes: { b: 1, t: 256, d: 32 } }, { sizes: { b: 2, t: 77, d: 33 } }],
    reference: "baseline",
  });

const rowsOfLanes = (): EvaluationTask =>
  tasks.caseTask("triton-turns-at-once/rows-of-lanes.py", {
    kernel: "rows-of-lanes.py::normalise",
    entry: { call: "rows-of-lanes.py::run", arguments: ["x", "gain"] },
    inputs: { x: { dtype: "float32", shape: ["rows", "n"] }, gain: { dtype: "float32", shape: ["n"] } },
    outputs: { y: { dtype: "float32", shape: ["rows", "n"] } },
    shapes: [{ sizes: { rows: 256, n: 64 } }, { sizes: { rows: 77, n: 45 } }],
    reference: "baseline",
  });

/** Rules that take no part in the sessions of the samples. */
const cases: Readonly<Record<string, RuleCase>> = {
  "cuda-swizzle-shared-tile": {
    task: () => sampleTask("transpose.cu"),
    counter: "sharedWavefronts",
    most: 0.07,
  },
  "cuda-vectorize-threads": { task: tasks.axpy, counter: "globalLoadRequests", most: 0.26 },
  // Each step still loads what the one before stored.
  "cuda-join-steps": { task: tasks.cooling, counter: "globalLoadSectors", most: 1 },
  "cuda-all-digits": { task: tasks.weights, counter: "divergentBranches", most: 0.1 },
  // The one block still does what it did: with fewer elements.
  "cuda-second-pass": { task: tasks.span, counter: "barriers", most: 1 },
  "cuda-warp-branch": { task: tasks.attended, counter: "instructions", most: 0.2 },
  "cuda-share-uniform-sum": { task: tasks.centred, counter: "instructions", most: 0.1 },
  "cuda-constant-base": { task: tasks.decibels, counter: "instructions", most: 0.7 },
  "cuda-test-first": { task: order.masked, counter: "instructions", most: 0.6 },
  "cuda-share-window-values": { task: order.leastHashes, counter: "instructions", most: 0.4 },
  "cuda-steady-work": { task: order.weighed, counter: "instructions", most: 0.5 },
  "cuda-add-for-warp": { task: order.labelled, counter: "globalAtomicPasses", most: 0.3 },
  "cuda-sum-on-gpu": { task: hosts.greatestOfAll, counter: "hostCalls", most: 0.3 },
  "cuda-drop-waits": { task: hosts.waitingBetween, counter: "hostCalls", most: 0 },
  "cuda-allocate-once": { task: hosts.memoryOfEachTurn, counter: "hostCalls", most: 0.3 },
  "cuda-pool-scratch": { task: hosts.scratchOfEachCall, counter: "hostCalls", most: 0.3 },
  "cuda-every-other": { task: order.board, counter: "divergentBranches", most: 0.5 },
  "cuda-own-atomics": { task: order.folded, counter: "sharedAtomicPasses", most: 0 },
  "cuda-bit-instructions": { task: order.distances, counter: "instructions", most: 0.4 },
  "cuda-index-registers": { task: tasks.pick, counter: "localRequests", most: 0 },
  "cuda-spread-counters": { task: tasks.votes, counter: "sharedAtomicPasses", most: 0.4 },
  "cuda-stage-reused-row": { task: () => sampleTask("softmax.cu"), counter: "globalLoadSectors", most: 0.34 },
  "cuda-shuffle-tree-reduction": { task: tasks.rowSum, counter: "barriers", most: 0.6 },
  "cuda-skip-masked-turns": { task: tasks.pastOnly, counter: "instructions", most: 0.75 },
  "triton-skip-masked-turns": { task: tasks.nearOnly, counter: "instructions", most: 0.6 },
  // What stands for a division is no instruction of PTX.
  "cuda-compare-for-remainder": { task: tasks.torus, counter: "globalLoadRequests", most: 1 },
  "cuda-reciprocal-of-divisor": { task: tasks.generator, counter: "globalLoadRequests", most: 1 },
  // What is kept in local memory for lack of registers is no instruction of PTX.
  "cuda-loosen-launch-bounds": { task: order.crowded, counter: "instructions", most: 1 },
  "cuda-known-count": { task: order.stages, counter: "localRequests", most: 0.2 },
  "cuda-interleave-scratch": { task: order.stretches, counter: "globalLoadSectors", most: 0.4 },
  "cuda-unroll-array-loops": { task: order.features, counter: "localRequests", most: 0 },
  "cuda-lists-in-registers": { task: order.neighbours, counter: "localRequests", most: 0 },
  "cuda-share-setup": { task: tasks.palette, counter: "globalLoadRequests", most: 0.6 },
  "triton-convert-in-registers": { task: tasks.halfPower, counter: "globalLoadSectors", most: 0.6 },
  // A row is read along a column, and no copy of the whole is made in front of it.
  "triton-read-in-place": { task: tasks.turnedRows, counter: "instructions", most: 4 },
  "triton-longer-sums": { task: tasks.overlaps, counter: "instructions", most: 0.8 },
  "triton-factor-behind-loop": { task: tasks.scaledRows, counter: "fp32Instructions", most: 0.5 },
  "triton-float-dot-for-sum": { task: tasks.scores, counter: "instructions", most: 0.9 },
  "triton-float-tensor-dot": { task: tasks.scores, counter: "instructions", most: 0.5 },
  // Each program begins for itself, and no turn is counted.
  // The turns are the same; what the parts take is added.
  "triton-split-softmax": { task: tasks.lastToken, counter: "instructions", most: 1.5 },
  "triton-turns-in-grid": { task: tasks.channels, counter: "instructions", most: 1.5 },
  // One launch does what eight did, and a little to find its member.
  "cuda-launches-in-grid": { task: hosts.rowsOfOneBlock, counter: "globalLoadSectors", most: 1 },
  "triton-batch-in-grid": { task: hosts.eachFrame, counter: "globalLoadSectors", most: 1 },
  // What is left out is an operation of torch; the kernel no longer loads its results.
  "triton-statistics-in-kernel": { task: hosts.normalized, counter: "globalLoadRequests", most: 1 },
  "triton-reduce-tiles": { task: hosts.nearestRows, counter: "globalStoreSectors", most: 0.1 },
  "triton-turns-in-kernel": { task: hosts.eachStep, counter: "globalLoadSectors", most: 1 },
  // The kernel does the same: what is left out are copies of torch.
  "triton-carry-prefix": { task: blocksBefore, counter: "instructions", most: 0.5 },
  "triton-take-turns": { task: smoothed, counter: "globalLoadSectors", most: 1 },
  "triton-contiguous-programs": { task: tasks.everyNth, counter: "globalLoadSectors", most: 0.3 },
  "triton-round-operands": { task: bytesAlone, counter: "instructions", most: 0.5 },
  // The kernel does the same: what is left out are operations of torch.
  "triton-keep-tables": { task: bellWindow, counter: "globalLoadRequests", most: 1 },
  "triton-values-in-turn": { task: decayOfDistances, counter: "instructions", most: 0.7 },
  "triton-tiles-in-turn": { task: whitened, counter: "globalLoadSectors", most: 0.5 },
  "triton-turns-at-once": { task: rowsOfLanes, counter: "globalLoadSectors", most: 0.3 },
  "triton-sum-tile-first": { task: tasks.columnPower, counter: "globalAtomicPasses", most: 0.1 },
  "triton-sum-first": { task: tasks.total, counter: "globalAtomicPasses", most: 0.1 },
  "triton-other-configuration": { task: tasks.blend, counter: "globalLoadRequests", most: 0.13 },
  "triton-fewer-warps": {
    task: () => sampleTask("vector_add.py"),
    counter: "globalLoadRequests",
    most: 0.51,
  },
};

/** What was counted on the first shape. */
function countOf({ counters, shapeBounds }: Checked, counter: RuleCase["counter"]): number {
  if (counter === "hostCalls") return shapeBounds?.[0]?.bound.host?.nanoseconds ?? 0;
  return counters?.totals[counter] ?? Infinity;
}

/** Measures the kernel, applies the rule to what was measured, and says what became of the counter. */
async function applied(
  rule: string,
  { task: makeTask, counter }: RuleCase,
): Promise<{ readonly passed: boolean; readonly before: number; readonly now: number }> {
  const task = onEachShape(makeTask());
  return onMeasured(evaluator, task, async ({ measured, check, signal }) => {
    const { baseline: tree, spec } = task;
    const { counters, facts, bound, launches } = measured;
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
    const judged = checked(await check({ tree: proposal.tree, tier: rewriteTier, counters: true, signal }));
    return {
      passed: judged.cases.every((each) => each.passed),
      before: countOf(measured, counter),
      now: countOf(judged, counter),
    };
  });
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

import type { Evaluation, EvaluationTask } from "../../../../server/core/ports/evaluator";
import type { CheckOutcome } from "../../../../server/core/ports/evaluator";
import { resolveShape } from "../../../../server/host/worker/evaluation/case-shapes";
import type { WorkerEvaluator } from "../../../../server/host/worker/evaluation/evaluator";
import type { TaskEvaluation } from "../../../../server/host/worker/evaluation/task-evaluation";
import { Objective } from "../../../../server/host/worker/price/objective";
import { rewriteTier } from "./rewrite-tier";

export type Checked = Extract<CheckOutcome, { kind: "checked" }>;

export function checked(outcome: CheckOutcome): Checked {
  if (outcome.kind !== "checked") throw new Error(JSON.stringify(outcome));
  return outcome;
}

/** A task of the tests: what was counted on its kernel as it is, and what judges rewrites. */
interface MeasuredTask {
  readonly measured: Checked;
  readonly check: Evaluation["check"];
  readonly signal: AbortSignal;
}

/** Of work: no limit that a test meets. */
const mostSeconds = 600;

/**
 * Counts the kernel of a task and hands it on. The tasks are ours: nobody asks whether a trivial answer would
 * pass them, and the kernel as it is runs once, watched by the detectors, where nothing but what was counted
 * is wanted of it. In the full tier both are asked.
 */
export async function onMeasured<Result>(
  evaluator: WorkerEvaluator,
  task: EvaluationTask,
  use: (given: MeasuredTask) => Promise<Result>,
): Promise<Result> {
  const { signal } = new AbortController();
  if (rewriteTier === "full") {
    const evaluation = await evaluator.open(task, signal);
    try {
      const measured = checked(
        await evaluation.check({ tree: task.baseline, tier: "quick", counters: true, signal }),
      );
      return await use({ measured, check: (request) => evaluation.check(request), signal });
    } finally {
      await evaluation.close();
    }
  }
  const result = await evaluator.examined<{ readonly value: Result } | undefined>(task, signal, {
    ask: async (found) => {
      const measured = await countedOnce(found, task, signal);
      return { value: await use({ measured, check: (request) => found.check(request), signal }) };
    },
    tooLong: undefined,
    mostSeconds,
  });
  if (result === undefined) throw new Error("the task took too long");
  return result.value;
}

/** What one run of the kernel as it is counts on the first shape. */
async function countedOnce(
  found: TaskEvaluation,
  { spec, target }: EvaluationTask,
  signal: AbortSignal,
): Promise<Checked> {
  const first = spec.shapes.find(({ heldOut }) => heldOut !== true);
  if (first === undefined) throw new Error("no shape is shown");
  const profiled = await found.onBaseline(first, async ({ oracle, session }, shape) => {
    const { inputs } = await oracle.make(shape, "declared", signal);
    return session.run({ shape, inputs, counters: true, model: "briefly", detectors: true, signal });
  });
  if (profiled.kind !== "ran") throw new Error(JSON.stringify(profiled));
  const shape = resolveShape(spec, first);
  const { findings } = profiled;
  const run = {
    ...{ shape: first, inputs: "declared" as const, findings, passed: findings.length === 0 },
    tolerance: { absolute: 0, relative: 0 },
  };
  return new Objective([shape], undefined).outcome(
    { cases: [run], profiled, counted: new Map([[shape, profiled]]) },
    { target, protections: [] },
  );
}

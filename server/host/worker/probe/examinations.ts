import type { EvaluationTask } from "../../../core/ports/evaluator";
import { type FriendlierSizes, friendlierSizes } from "../../../core/workload/cases/friendlier-sizes";
import { type WithinOwn, withinOwnArrays } from "../../../core/workload/cases/own-arrays";
import { pricedCase } from "../../../core/workload/cases/priced-at";
import { pricedSizes } from "../../../core/workload/cases/priced-sizes";
import { noDoubts, type WorkloadDoubts } from "../../../core/workload/doubts";
import { type Afforded, affordableShapes } from "../../../core/workload/probe/affordable";
import type { ShapeCase } from "../../../core/workload/spec";
import type { WorkerEvaluator } from "../evaluation/evaluator";
import type { TaskEvaluation } from "../evaluation/task-evaluation";
import { priceOf } from "../price/priced-shape";
import { firstFinding, leavesOwnArray, runsClean } from "../judging/own-arrays";

/** Seconds of work after which a run is ended whose cost is asked for. */
const mostRunSeconds = 3;

/** What is asked about workloads that are only being found. */
interface Examinations {
  readonly doubts: (task: EvaluationTask, signal: AbortSignal) => Promise<WorkloadDoubts>;
  readonly trivialAnswers: (
    task: EvaluationTask,
    signal: AbortSignal,
  ) => Promise<readonly string[] | undefined>;
  readonly affordable: (task: EvaluationTask, most: number, signal: AbortSignal) => Promise<Afforded>;
  readonly friendlier: (task: EvaluationTask, signal: AbortSignal) => Promise<FriendlierSizes>;
  readonly withinOwn: (task: EvaluationTask, signal: AbortSignal) => Promise<WithinOwn>;
  readonly pricedSizes: (
    task: EvaluationTask,
    signal: AbortSignal,
  ) => Promise<ShapeCase["sizes"] | undefined>;
  readonly isClean: (task: EvaluationTask, shape: ShapeCase, signal: AbortSignal) => Promise<boolean>;
  readonly ends: (
    task: EvaluationTask,
    shape: ShapeCase,
    most: number,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

/** Whether a run of a shape ends within so many seconds, waiting or not. */
async function ends(
  found: TaskEvaluation,
  { shape, most }: { readonly shape: ShapeCase; readonly most: number },
  signal: AbortSignal,
): Promise<boolean> {
  const cost = await found.onBaseline(shape, (baseline, own) =>
    baseline.runCost(own, { mostSeconds: most, of: "waiting" }, signal),
  );
  return cost !== Infinity;
}

/** See `pricedSizes`. */
function pricedSizesOf(
  found: TaskEvaluation,
  { spec }: EvaluationTask,
  signal: AbortSignal,
): Promise<ShapeCase["sizes"] | undefined> {
  return pricedSizes(spec, async (sizes) => {
    const priced = pricedCase({ ...spec, pricedAt: sizes });
    return priced && found.onBaseline(priced, (baseline, shape) => priceOf(baseline, shape, signal));
  });
}

/** Asks runs of the baseline. */
export function examinationsBy(evaluator: WorkerEvaluator): Examinations {
  return {
    doubts: (task, signal) =>
      evaluator.examined(task, signal, {
        ask: (found, limited) => found.doubts(limited),
        tooLong: noDoubts,
      }),
    trivialAnswers: (task, signal) =>
      evaluator.examined(task, signal, {
        ask: (found, limited) => found.trivialAnswers(limited),
        tooLong: ["inputs that the kernel takes too long over"],
      }),
    affordable: (task, most, signal) =>
      evaluator.examined(task, signal, {
        ask: (found, limited) =>
          affordableShapes(task.spec.shapes, most, (shape) =>
            found.onBaseline(shape, (baseline, own) =>
              baseline.runCost(own, { mostSeconds: mostRunSeconds }, limited),
            ),
          ),
        tooLong: { shapes: task.spec.shapes, tooLong: [] },
      }),
    pricedSizes: (task, signal) =>
      evaluator.examined(task, signal, {
        ask: (found, limited) => pricedSizesOf(found, task, limited),
        tooLong: undefined,
      }),
    isClean: (task, shape, signal) =>
      evaluator.examined(task, signal, {
        ask: (found, limited) =>
          found.onBaseline(shape, (baseline, own) => runsClean(baseline, own, limited)),
        tooLong: false,
      }),
    ends: (task, shape, most, signal) =>
      evaluator.examined(task, signal, {
        ask: (found, limited) => ends(found, { shape, most }, limited),
        tooLong: false,
      }),
    friendlier: (task, signal) =>
      evaluator.examined(task, signal, {
        ask: (found, limited) =>
          friendlierSizes(
            task.spec.shapes,
            (shape) => found.onBaseline(shape, (baseline, own) => firstFinding(baseline, own, limited)),
            namesInExtents(task.spec),
          ),
        tooLong: { shapes: task.spec.shapes },
      }),
    withinOwn: (task, signal) =>
      evaluator.examined(task, signal, {
        ask: (found, limited) =>
          withinOwnArrays(task.spec.shapes, (shape) =>
            found.onBaseline(shape, (baseline, own) => leavesOwnArray(baseline, own, limited)),
          ),
        tooLong: { shapes: task.spec.shapes, limits: [] },
      }),
  };
}

/** Sizes that extents of tensors are made of. */
function namesInExtents({ inputs, outputs }: EvaluationTask["spec"]): readonly string[] {
  const tensors = [...Object.values(inputs), ...Object.values(outputs)];
  return tensors.flatMap(({ shape }) =>
    shape.flatMap((extent) => String(extent).match(/[A-Za-z_]\w*/g) ?? []),
  );
}

import type { Tier } from "../../../../server/core/judge/verdict";
import type { EvaluationTask } from "../../../../server/core/ports/evaluator";

/**
 * How rewrites of rules are checked: on each shape of their task, or with all that a winner is asked, which
 * takes several times as long and which `npm run rewrites` sets. Winners of whole sessions are asked it
 * everywhere (`samples.test.ts`).
 */
export const rewriteTier: Tier = process.env.KERNELWRIGHT_REWRITES === "full" ? "full" : "quick";

/** So often the first shape counts in the price, that it stays the price. */
const weightOfFirst = 1_000_000;

/** The task with shapes of which a check of the tier runs each: a quick one runs what has a weight. */
export function onEachShape(task: EvaluationTask): EvaluationTask {
  if (rewriteTier === "full") return task;
  const shapes = task.spec.shapes.map(({ heldOut: _, ...shape }, index) => ({
    ...shape,
    weight: index === 0 ? weightOfFirst : 1,
  }));
  return { ...task, spec: { ...task.spec, shapes } };
}

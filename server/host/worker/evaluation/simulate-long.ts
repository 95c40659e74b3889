import type { SimulateLong } from "../../../core/ports/evaluator";
import type { WorkerEvaluator } from "./evaluator";

/** Simulations of long launches of CUDA on the virtual GPU. */
export function simulatesLong(evaluator: Pick<WorkerEvaluator, "examined">): SimulateLong {
  return async (task, signal) => {
    if (task.target.kind !== "vgpu" || task.spec.dialect !== "cuda") return undefined;
    return evaluator.examined(task, signal, {
      ask: (evaluation, limited) => evaluation.simulate(limited),
      tooLong: undefined,
      mostSeconds: Infinity,
    });
  };
}

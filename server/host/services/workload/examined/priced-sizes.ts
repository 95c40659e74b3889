import { succeed } from "../../../../core/base/outcome";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import type { ShapeCase } from "../../../../core/workload/spec";
import type { WorkloadFinder } from "../finders";
import { type ExamineMeans, examined } from "./found-task";

interface PricedMeans extends ExamineMeans {
  /** See `pricedSizes`. */
  readonly pricedSizes: (
    task: EvaluationTask,
    signal: AbortSignal,
  ) => Promise<ShapeCase["sizes"] | undefined>;
}

/**
 * Prices a CUDA kernel at sizes that fill a GPU, where those that a check has time for are chosen and do not.
 * What was recorded is priced as it was run.
 */
export function withPricedSizes(finder: WorkloadFinder, means: PricedMeans): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      if (!found.ok) return found;
      const { spec } = found.value;
      const isChosen = spec.shapes.every(
        ({ recorded, weight }) => recorded === undefined && weight === undefined,
      );
      if (!isChosen || spec.dialect !== "cuda" || spec.program !== undefined) return found;
      const pricedAt = await examined<ShapeCase["sizes"] | undefined>(means, request, found.value, {
        ask: (task, signal) => means.pricedSizes(task, signal),
        otherwise: undefined,
      });
      if (pricedAt === undefined) return found;
      const origins = { ...spec.origins, pricedAt: "inferred" as const };
      return succeed({ ...found.value, spec: { ...spec, pricedAt, origins } });
    },
  };
}

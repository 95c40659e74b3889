import { succeed } from "../../../../core/base/outcome";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import type { WithinOwn } from "../../../../core/workload/cases/own-arrays";
import type { FoundWorkload, WorkloadFinder } from "../finders";
import { type ExamineMeans, examined } from "./found-task";

interface OwnArraysMeans extends ExamineMeans {
  /** See `withinOwnArrays`. */
  readonly withinOwn: (task: EvaluationTask, signal: AbortSignal) => Promise<WithinOwn>;
}

/** An array whose length is its own: in shared memory, or a local one. */
const ownArray =
  /\b__shared__\b(?!\s*\w+\s+\w+\s*;)|\b[A-Za-z_]\w*\s+[A-Za-z_]\w*\s*\[\s*\w[^\]]*\]\s*(?:\[|;|=)/;

/**
 * Keeps sizes that were made up within what the kernel's own arrays hold: that a kernel leaves them with a
 * size of which nobody said that it is allowed is told as that, and is no fault of the kernel.
 */
export function withOwnArrays(finder: WorkloadFinder, means: OwnArraysMeans): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      if (!found.ok || !ownArray.test(request.text)) return found;
      const { shapes } = found.value.spec;
      const within = await examined<WithinOwn>(means, request, found.value, {
        ask: means.withinOwn,
        otherwise: { shapes, limits: [] },
      });
      return within.limits.length === 0 ? found : succeed(withLimits(found.value, within));
    },
  };
}

function withLimits(found: FoundWorkload, { shapes, limits }: WithinOwn): FoundWorkload {
  const told = limits.map(({ name, most, tooLarge, said }) => ({
    path: "shapes",
    sentence: `with ${name}=${tooLarge} the kernel leaves an array of its own (${said}), so that ${name} is taken to be ${most} at most. If more is allowed, write such a shape: it is a fault then.`,
  }));
  return { ...found, spec: { ...found.spec, shapes }, unknowns: [...told, ...found.unknowns] };
}

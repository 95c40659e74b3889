import { succeed } from "../../../../core/base/outcome";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import type { FriendlierSizes } from "../../../../core/workload/cases/friendlier-sizes";
import { describeShape } from "../../../../core/words/describe";
import type { FoundWorkload, WorkloadFinder } from "../finders";
import { type ExamineMeans, examined } from "./found-task";

interface FriendlierMeans extends ExamineMeans {
  /** See `friendlierSizes`. */
  readonly friendlier: (task: EvaluationTask, signal: AbortSignal) => Promise<FriendlierSizes>;
}

/** What may go wrong between threads, or with what one of them waits for. */
const shared = /\b__(?:syncthreads|syncwarp|shared__|shfl|ballot)|\[[^\]]*\]\s*=|\batomic/;

/**
 * Takes sizes at which no fault is found, where it is only at odd ones that were made up: nobody said that
 * those are allowed. Told as that, and no fault of the kernel.
 */
export function withFriendlierSizes(finder: WorkloadFinder, means: FriendlierMeans): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      if (!found.ok || !shared.test(request.text)) return found;
      const { shapes } = found.value.spec;
      const taken = await examined<FriendlierSizes>(means, request, found.value, {
        ask: means.friendlier,
        otherwise: { shapes },
      });
      return taken.instead === undefined ? found : succeed(withSizes(found.value, taken, taken.instead));
    },
  };
}

function withSizes(
  found: FoundWorkload,
  { shapes }: FriendlierSizes,
  { sizes, said, steps }: NonNullable<FriendlierSizes["instead"]>,
): FoundWorkload {
  const multiples = Object.entries(steps).map(([name, step]) => `${name} a multiple of ${step}`);
  const sentence = `I had assumed ${describeShape({ sizes })}, and there a run finds: ${said}. With ${multiples.join(", ")} nothing is found, and such sizes are taken: is that right? If others are allowed, write such a shape: it is a fault then.`;
  const spec = { ...found.spec, shapes, origins: { ...found.spec.origins, shapes: "guessed" as const } };
  return { ...found, spec, unknowns: [{ path: "shapes", sentence }, ...found.unknowns] };
}

import { succeed } from "../../../../core/base/outcome";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import type { Afforded, TooLong } from "../../../../core/workload/probe/affordable";
import type { KernelSpec } from "../../../../core/workload/spec";
import { describeShape } from "../../../../core/words/describe";
import type { FoundWorkload, WorkloadFinder } from "../finders";
import { type ExamineMeans, examined } from "./found-task";

interface AffordableMeans extends ExamineMeans {
  /** The shapes of a task of which one run takes no more than so many seconds (`affordableShapes`). */
  readonly affordable: (task: EvaluationTask, mostSeconds: number, signal: AbortSignal) => Promise<Afforded>;
}

/**
 * Seconds of the processor that one run of a shape may take. A check makes some two dozen of them, most with
 * smaller shapes: it is to end within some twenty seconds of work.
 */
const mostSeconds = 1;

/**
 * Makes sizes that were chosen smaller where a check of them would take minutes: a kernel's work may grow
 * faster than its buffers. What was recorded, or what a user states, stays as it is. What one finder found is
 * not run again for another one around it that has changed nothing.
 */
export function affordableSizes(means: AffordableMeans): (finder: WorkloadFinder) => WorkloadFinder {
  const settled = new WeakSet<KernelSpec>();
  return (finder) => ({
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      if (!found.ok || isRecorded(found.value) || settled.has(found.value.spec)) return found;
      const { shapes } = found.value.spec;
      const afforded = await examined<Afforded>(means, request, found.value, {
        ask: (task, signal) => means.affordable(task, mostSeconds, signal),
        otherwise: { shapes, tooLong: [] },
      });
      const isChanged = afforded.tooLong.length > 0 || afforded.tooSmall !== undefined;
      const taken = isChanged ? withShapes(found.value, afforded) : found.value;
      settled.add(taken.spec);
      return succeed(taken);
    },
  });
}

function isRecorded({ spec: { shapes, origins = {} } }: FoundWorkload): boolean {
  return origins["shapes"] === "recorded" || shapes.some(({ recorded }) => recorded !== undefined);
}

function withShapes(
  { spec, unknowns, ...rest }: FoundWorkload,
  { shapes, tooLong, tooSmall }: Afforded,
): FoundWorkload {
  const taken = tooLong.map(sentenceOf).join("; ");
  const sentences = [
    ...(tooLong.length === 0
      ? []
      : [
          `a check of larger sizes would take minutes: ${taken}. Those that matter to you can stand in a kernel spec.`,
        ]),
    ...(tooSmall === undefined
      ? []
      : [
          `it does not run at ${describeShape(tooSmall)}, and so few elements are left out. If they are allowed, write them as a shape.`,
        ]),
  ];
  const told = sentences.map((sentence) => ({ path: "shapes", sentence }));
  return { ...rest, spec: { ...spec, shapes }, unknowns: [...unknowns, ...told] };
}

function sentenceOf({ shape, seconds, instead }: TooLong): string {
  const rounded = seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds);
  const taken = instead === undefined ? "it is left out" : `${describeShape(instead)} is taken`;
  return `one run at ${describeShape(shape)} takes some ${rounded} s of the processor, and ${taken}`;
}

import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { ModelledBound } from "../../../core/judge/verdict";
import { modelledBound, withFill } from "../../../core/timing/bound";
import { gpuOfTarget } from "../../../core/timing/gpu-model";
import { type KernelCounters, mergeCounters, scaledCounters } from "../../../core/timing/counters";
import type { LaunchProfile } from "../../../core/timing/launch-profile";
import { changedRegion, scaledBound } from "../../../core/timing/region";
import { namedLaunches } from "../../../core/words/profile";
import type { ProgramRan } from "./program-run";

/** What a candidate's program costs where it differs from the program as it was. */
export interface ProgramPrice {
  /** Kernels that differ, and the kernel that is judged. */
  readonly kernels: number;
  readonly launches: readonly LaunchProfile[];
  /**
   * Of those kernels alone, in relation to what the recorded launches count: a program launches a kernel many
   * times, and a recording holds the launches that differ.
   */
  readonly counters: KernelCounters;
  /** In relation to what the recorded launches cost; left out where that is not known. */
  readonly bound?: ModelledBound;
}

interface Runs {
  readonly before: ProgramRan;
  readonly now: ProgramRan;
  /** Of the recorded launches, as the kernel was. */
  readonly bound: ModelledBound | undefined;
  readonly recorded: KernelCounters | undefined;
}

/** Undefined where the program as it was does nothing that could cost anything. */
export function programPrice(
  { before, now, bound, recorded }: Runs,
  { spec, target }: EvaluationTask,
): ProgramPrice | undefined {
  const gpu = gpuOfTarget(target);
  const region = changedRegion(before.outcome.kernels, now.outcome.kernels, (name) =>
    isKernel(name, spec.kernel),
  );
  if (region.before.length === 0) return undefined;
  const launches = namedLaunches(region.after);
  const kernels = region.after.length;
  const [was, is] = [region.before, region.after].map((each) =>
    mergeCounters(each.map((kernel) => kernel.counters)),
  ) as [KernelCounters, KernelCounters];
  const counters = inRelation(is, was, recorded);
  if (bound === undefined) return { kernels, launches, counters };
  const scaled = scaledBound(modelledBound(launches, gpu, now.run), {
    from: modelledBound(namedLaunches(region.before), gpu, before.run),
    to: bound,
  });
  return { kernels, launches, counters, bound: withFill(scaled, launches, gpu) };
}

/** Counters of the program as it is now, as much more or less as the recording counts of it as it was. */
function inRelation(
  now: KernelCounters,
  before: KernelCounters,
  recorded: KernelCounters | undefined,
): KernelCounters {
  const [counted, whole] = [recorded?.totals.instructions ?? 0, before.totals.instructions];
  return counted === 0 || whole === 0 ? now : scaledCounters(now, counted / whole);
}

function isKernel(formatted: string, kernel: string): boolean {
  return formatted.replace(/<.*$/s, "") === kernel.split("::").at(-1);
}

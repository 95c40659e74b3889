import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { ModelledBound } from "../../../core/judge/verdict";
import { modelledBound, withFill } from "../../../core/timing/bound";
import { gpuOfTarget } from "../../../core/timing/gpu-model";
import { type KernelCounters, mergeCounters } from "../../../core/timing/counters";
import type { LaunchProfile } from "../../../core/timing/launch-profile";
import { changedRegion, scaledBound } from "../../../core/timing/region";
import { namedLaunches } from "../../../core/words/profile";
import type { ProgramRan } from "./program-run";

/** What a candidate's program costs where it differs from the program as it was. */
export interface ProgramPrice {
  /** Kernels that differ, and the kernel that is judged. */
  readonly kernels: number;
  readonly launches: readonly LaunchProfile[];
  /** Of those kernels alone: what the rest of the program does was not counted of the baseline either. */
  readonly counters: KernelCounters;
  /** In relation to what the recorded launches cost; left out where that is not known. */
  readonly bound?: ModelledBound;
}

interface Runs {
  readonly before: ProgramRan;
  readonly now: ProgramRan;
  /** Of the recorded launches, as the kernel was. */
  readonly bound: ModelledBound | undefined;
}

/** Undefined where the program as it was does nothing that could cost anything. */
export function programPrice(
  { before, now, bound }: Runs,
  { spec, target }: EvaluationTask,
): ProgramPrice | undefined {
  const gpu = gpuOfTarget(target);
  const region = changedRegion(before.outcome.kernels, now.outcome.kernels, (name) =>
    isKernel(name, spec.kernel),
  );
  if (region.before.length === 0) return undefined;
  const launches = namedLaunches(region.after);
  const kernels = region.after.length;
  const counters = mergeCounters(region.after.map((kernel) => kernel.counters));
  if (bound === undefined) return { kernels, launches, counters };
  const was = modelledBound(namedLaunches(region.before), gpu, before.run);
  const is = modelledBound(launches, gpu, now.run);
  const scaled = scaledBound(is, { from: was, to: bound });
  return { kernels, launches, counters, bound: withFill(scaled, launches, gpu) };
}

function isKernel(formatted: string, kernel: string): boolean {
  return formatted.replace(/<.*$/s, "") === kernel.split("::").at(-1);
}

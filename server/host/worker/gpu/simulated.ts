import { gpuOfTarget } from "../../../core/timing/gpu-model";
import { OperationalError } from "../../../core/base/operational-error";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { modelLaunch } from "../../../core/simulate/index";
import {
  isTrusted,
  type LaunchModel,
  type LaunchSample,
  type SimulationExtent,
} from "../../../core/timing/execution/launch-model";
import type { LaunchShape } from "../../../core/timing/launch-profile";
import type { Executed } from "../../../core/timing/execution/executed";
import { sectorBytes, waveOf } from "../../../core/timing/bound";
import type { CounterSums, KernelCounters } from "../../../core/timing/counters";
import { type Sharing, withSharing } from "../../../core/timing/sample/representative";

/** A launch that was run, and the machine code that a GPU would run. */
export interface RunLaunch {
  readonly request: { readonly model?: SimulationExtent | undefined };
  /** Mangled. */
  readonly kernel: string;
  readonly shape: LaunchShape;
  readonly cubin: Uint8Array;
}

/** Counters of a launch; what the blocks of a sample load in common is placed by time. */
export function totalsOf(
  { counters, sharing }: { readonly counters: KernelCounters; readonly sharing?: Sharing | undefined },
  { shape, grid }: { readonly shape: LaunchShape; readonly grid: readonly [number, number, number] },
  { target }: Pick<EvaluationTask, "target">,
): CounterSums {
  if (sharing === undefined) return counters.totals;
  return withSharing(counters.totals, sharing, {
    grid,
    wave: waveOf(shape, gpuOfTarget(target)),
    footprint: shape.footprintBytes / sectorBytes,
  });
}

/** Machine instructions that are simulated where only the time is asked for: a fraction of a second. */
const briefInstructions = 60_000;

/**
 * The simulation of a launch, where its run was asked for one; none of a brief one that cannot be trusted.
 * Throws `tool-failed` for machine code of our own compiler that cannot be read.
 */
export function modelsOf(
  { executed, sample }: { readonly executed?: Executed; readonly sample?: LaunchSample | undefined },
  { request, kernel, shape, cubin }: RunLaunch,
  { target }: Pick<EvaluationTask, "target">,
): { readonly models?: readonly LaunchModel[] } {
  if (request.model === undefined || executed === undefined) return {};
  const budget = request.model === "briefly" ? { instructions: briefInstructions } : {};
  const launch = { kernel, shape, executed, cubin };
  const model = modelLaunch(launch, gpuOfTarget(target), budget);
  if (model.ok) {
    const models = [{ ...model.value, ...(sample && { sample }) }];
    return request.model === "briefly" && !isTrusted(model.value) ? {} : { models };
  }
  throw new OperationalError("tool-failed", {
    forUser: `the machine code of ${kernel} cannot be read: ${model.problem.message}`,
  });
}

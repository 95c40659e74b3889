import { gpuOfTarget } from "../../../core/timing/gpu-model";
import { OperationalError } from "../../../core/base/operational-error";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { modelLaunch } from "../../../core/simulate/index";
import {
  isTrusted,
  type LaunchModel,
  type SimulationExtent,
} from "../../../core/timing/execution/launch-model";
import type { LaunchShape } from "../../../core/timing/launch-profile";
import type { Executed } from "../../../core/timing/execution/executed";

/** A launch that was run, and the machine code that a GPU would run. */
export interface RunLaunch {
  readonly request: { readonly model?: SimulationExtent | undefined };
  /** Mangled. */
  readonly kernel: string;
  readonly shape: LaunchShape;
  readonly cubin: Uint8Array;
}

/** Machine instructions that are simulated where only the time is asked for: a fraction of a second. */
const briefInstructions = 60_000;

/**
 * The simulation of a launch, where its run was asked for one; none of a brief one that cannot be trusted.
 * Throws `tool-failed` for machine code of our own compiler that cannot be read.
 */
export function modelsOf(
  { executed }: { readonly executed?: Executed },
  { request, kernel, shape, cubin }: RunLaunch,
  { target }: Pick<EvaluationTask, "target">,
): { readonly models?: readonly LaunchModel[] } {
  if (request.model === undefined || executed === undefined) return {};
  const budget = request.model === "briefly" ? { instructions: briefInstructions } : {};
  const launch = { kernel, shape, executed, cubin };
  const model = modelLaunch(launch, gpuOfTarget(target), budget);
  if (model.ok)
    return request.model === "briefly" && !isTrusted(model.value) ? {} : { models: [model.value] };
  throw new OperationalError("tool-failed", {
    forUser: `the machine code of ${kernel} cannot be read: ${model.problem.message}`,
  });
}

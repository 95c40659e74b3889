import { OperationalError } from "../../../core/base/operational-error";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { modelLaunch } from "../../../core/simulate/index";
import { defaultGpu } from "../../../core/timing/gpu-model";
import type { LaunchModel } from "../../../core/timing/execution/launch-model";
import type { LaunchShape } from "../../../core/timing/launch-profile";
import type { Executed } from "../../../core/timing/execution/executed";

/** A launch that was run, and the machine code that a GPU would run. */
export interface RunLaunch {
  readonly request: { readonly model?: boolean | undefined };
  /** Mangled. */
  readonly kernel: string;
  readonly shape: LaunchShape;
  readonly cubin: Uint8Array;
}

/**
 * The simulation of a launch, where its run was asked for one. Throws `tool-failed` for machine code of our
 * own compiler that cannot be read.
 */
export function modelsOf(
  { executed }: { readonly executed?: Executed },
  { request, kernel, shape, cubin }: RunLaunch,
  { target }: Pick<EvaluationTask, "target">,
): { readonly models?: readonly LaunchModel[] } {
  if (request.model !== true || executed === undefined) return {};
  const model = modelLaunch({ kernel, shape, executed, cubin }, defaultGpu(target.architecture));
  if (model.ok) return { models: [model.value] };
  throw new OperationalError("tool-failed", {
    forUser: `the machine code of ${kernel} cannot be read: ${model.problem.message}`,
  });
}

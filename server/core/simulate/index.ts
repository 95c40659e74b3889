/**
 * Time by simulation: the counts of PTX on the virtual GPU are mapped to the machine code (`counts`), and the
 * warps of one multiprocessor run its schedule (`machine`). docs/model.md says what is modelled.
 */
import { readMachineCode } from "../cubin/index";
import type { Executed } from "../timing/execution/executed";
import type { GpuModel } from "../timing/gpu-model";
import type { LaunchModel } from "../timing/execution/launch-model";
import type { LaunchShape } from "../timing/launch-profile";
import { type Outcome, succeed } from "../base/outcome";
import { launchModel } from "./report";
import { simulateLaunch } from "./simulate-launch";

/** A launch as it was counted, with the machine code that a GPU would run. */
interface CountedLaunch {
  /** Mangled. */
  readonly kernel: string;
  readonly shape: LaunchShape;
  readonly executed: Executed;
  readonly cubin: Uint8Array;
}

/**
 * The modelled time of a launch on a GPU, of which so many machine instructions are simulated at most; a
 * cubin that cannot be read says why.
 */
export function modelLaunch(
  { kernel, shape, executed, cubin }: CountedLaunch,
  gpu: GpuModel,
  budget: { readonly instructions?: number } = {},
): Outcome<LaunchModel, { readonly message: string }> {
  const code = readMachineCode(cubin, kernel);
  if (!code.ok) return code;
  const launch = { shape, executed, code: code.value };
  return succeed(
    launchModel(kernel, launch, { time: simulateLaunch(launch, gpu, budget.instructions), gpu }),
  );
}

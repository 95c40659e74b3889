import { modelError } from "../../../../core/hardware/model-error";
import { timingOf } from "../../../../core/timing/gpu-timing";
import type { Measurement } from "../../../../core/hardware/measurement";
import type { CheckOutcome } from "../../../../core/ports/evaluator";
import { describeSizes } from "../../../../core/words/describe";
import type { KeptErrors } from "./kept-errors";

export type { KeptErrors } from "./kept-errors";

type Checked = Extract<CheckOutcome, { readonly kind: "checked" }>;

/**
 * The measurement, with how far the model was off on the profiled shape and on all that this GPU was timed
 * with.
 */
export async function withModelError(
  measured: Measurement,
  { profiledShape: { sizes }, simulatedNanoseconds, bound }: Checked,
  kept: {
    readonly errors: KeptErrors | undefined;
    readonly kernel: string;
    /** Of the GPU, `sm_90`. */
    readonly architecture: string;
  },
): Promise<Measurement> {
  const nanoseconds = simulatedNanoseconds ?? bound?.nanoseconds ?? 0;
  const by = simulatedNanoseconds === undefined ? "bound" : "simulation";
  const { launch } = timingOf(kept.architecture);
  const error = modelError(measured.shapes, { sizes, by, nanoseconds, launch });
  if (error === undefined) return measured;
  const what = `${kept.kernel} ${describeSizes(sizes)}`.trim();
  const ofGpu = await kept.errors?.add(measured.before.name, what, error.ratio);
  return { ...measured, modelError: error, ...(ofGpu && { modelErrors: ofGpu }) };
}

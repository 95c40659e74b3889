import type { CorrectVerdict } from "../../judge/verdict";
import { type LineCost, lineCost } from "../../timing/bound";
import type { LineCounters } from "../../timing/counters";
import type { LaunchShape } from "../../timing/launch-profile";
import { gpuOf } from "./cost-text";

/** What the lines of a correct version cost, in the unit of its objective. */
export interface LineCosts {
  /** Alone, in nanoseconds of the model, with the term that binds the line. */
  of(line: LineCounters): LineCost;
  /** Of the sum of all lines' costs, 0 to 1. */
  share(line: LineCounters): number;
}

/**
 * Costs by the shape of the launch that takes longest. Without known launches (logs of earlier versions) the
 * lines are priced as if the GPU were full.
 */
export function lineCosts(verdict: CorrectVerdict): LineCosts {
  const gpu = gpuOf(verdict);
  const [longest] = [...(verdict.launches ?? [])].sort((a, b) => b.bound.nanoseconds - a.bound.nanoseconds);
  const shape: LaunchShape = longest ?? {
    blocks: gpu.multiprocessors,
    threadsPerBlock: 1024,
    registersPerThread: 32,
    sharedBytes: 0,
    footprintBytes: 0,
  };
  const of = (line: LineCounters): LineCost => lineCost(line, shape, gpu);
  const whole = verdict.counters.lines.reduce((sum, line) => sum + of(line).nanoseconds, 0);
  return { of, share: (line) => (whole === 0 ? 0 : of(line).nanoseconds / whole) };
}

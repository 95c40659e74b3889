import { at } from "../../base/known";
import type { ModelledBound } from "../../judge/verdict";
import { type HostCost, modelledBound, withFill } from "../bound";
import { type GpuModel, modelConstants } from "../gpu-model";
import { type LaunchProfile, timesOf } from "../launch-profile";
import { type LaunchModel, limitOf } from "./launch-model";

/** What ran for one shape: launches, those that were simulated, and what host code had the GPU do beside. */
interface PricedRun extends HostCost {
  readonly launches: readonly LaunchProfile[];
  readonly models?: readonly LaunchModel[];
}

/** The bound of a shape with its simulated time, and whether that may decide anything. */
export function pricedBound(run: PricedRun, gpu: GpuModel): ModelledBound {
  const bound = { ...modelledBound(run.launches, gpu, run), ...simulatedTime(run, gpu) };
  return withFill(bound, run.launches, gpu);
}

/** Time of a shape's launches by simulation; left out where only some of them could be simulated. */
export function simulatedTime(
  { models = [], moves = 0, launches, ...host }: PricedRun,
  gpu: GpuModel,
): Pick<ModelledBound, "simulatedNanoseconds" | "simulatedLimit"> {
  const runs = launches.reduce((sum, launch) => sum + timesOf(launch), 0);
  if (runs !== models.length) return {};
  const kernels = models.reduce((sum, { nanoseconds }) => sum + nanoseconds, 0);
  const beside = modelledBound([], gpu, host).nanoseconds;
  const gaps = (runs + moves - 1) * modelConstants.launchGapNanoseconds;
  const simulatedNanoseconds = kernels + gaps + beside;
  if (models.length === 0) return { simulatedNanoseconds };
  const longest = models.reduce(
    (most, each) => (each.nanoseconds > most.nanoseconds ? each : most),
    at(models, 0),
  );
  return { simulatedNanoseconds, simulatedLimit: limitOf(longest) };
}

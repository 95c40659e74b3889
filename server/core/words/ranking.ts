import type { ModelledBound } from "../judge/verdict";
import { modelledBound } from "../timing/bound";
import { type GpuModel, modelConstants } from "../timing/gpu-model";
import { type LaunchProfile, timesOf } from "../timing/launch-profile";
import type { KernelProfile } from "./profile";

/** What a program could gain from one of its kernels. Times are of the model, in nanoseconds. */
export interface RankedKernel {
  readonly kernel: string;
  readonly launches: number;
  readonly nanoseconds: number;
  /** Where the time comes from: the bound where some launch could not be simulated. */
  readonly by: "simulation" | "bound";
  /** Of the time of all kernels, 0 to 1. */
  readonly share: number;
  /** No version of the kernel that does the same work on the same data is below this. */
  readonly floorNanoseconds: number;
  readonly binding: string;
  /** How many times faster all kernels together would be with this one at its floor (Amdahl's law). */
  readonly programSpeedup: number;
  /** Where the kernel stands; empty when it is not known. */
  readonly file: string;
}

const sectorBytes = 32;

/** Kernels of a program that ran, those first that leave most to gain; equal ones by their name. */
export function rankKernels(kernels: readonly KernelProfile[], gpu: GpuModel): readonly RankedKernel[] {
  const priced = kernels.map((kernel) => ({ kernel, bound: modelledBound(kernel.profiles, gpu) }));
  const whole = priced.reduce((sum, { bound }) => sum + timeOf(bound), 0);
  const ranked = priced.map(({ kernel: { kernel, profiles, counters }, bound }): RankedKernel => {
    const { binding, simulatedNanoseconds: simulated } = bound;
    const nanoseconds = timeOf(bound);
    const floor = profiles.reduce((sum, launch) => sum + floorOf(launch, gpu), 0);
    const floorNanoseconds = Math.min(nanoseconds, floor);
    return {
      ...{ kernel, nanoseconds, binding, floorNanoseconds },
      by: simulated === undefined ? "bound" : "simulation",
      launches: profiles.reduce((sum, launch) => sum + timesOf(launch), 0),
      share: whole === 0 ? 0 : nanoseconds / whole,
      programSpeedup: whole === 0 ? 1 : whole / (whole - nanoseconds + floorNanoseconds),
      file: counters.lines[0]?.file ?? "",
    };
  });
  return ranked.sort((a, b) => b.programSpeedup - a.programSpeedup || (a.kernel < b.kernel ? -1 : 1));
}

function timeOf({ nanoseconds, simulatedNanoseconds }: ModelledBound): number {
  return simulatedNanoseconds ?? nanoseconds;
}

/**
 * The least time of launches: each distinct sector crosses to or from DRAM once, the operations run at their
 * peaks, and each launch waits for memory once.
 */
function floorOf(launch: LaunchProfile, gpu: GpuModel): number {
  const { counters, footprintBytes } = launch;
  const touched = [counters.loadReuse, counters.storeReuse].map((reuse) => (reuse?.first ?? 0) * sectorBytes);
  const bytes = touched.some((each) => each > 0)
    ? touched.reduce((sum, each) => sum + each, 0)
    : Math.min(footprintBytes, sectorBytes * (counters.globalLoadSectors + counters.globalStoreSectors));
  // A gigabyte a second is a byte a nanosecond, a teraflop a second 1000 operations.
  return Math.max(
    bytes / gpu.memoryGigabytesPerSecond,
    (counters.fp32Flops + counters.fp64Flops) / (gpu.floatTeraflops * 1000),
    counters.tensorFlops / (gpu.tensorTeraflops * 1000),
    timesOf(launch) * modelConstants.memoryLatencyNanoseconds,
  );
}

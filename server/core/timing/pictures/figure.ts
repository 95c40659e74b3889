import { bytesOverLevels, launchOccupancy, modelledBound } from "../bound";
import { type GpuModel, limitsOf, modelConstants } from "../gpu-model";
import { type LaunchProfile, timesOf } from "../launch-profile";
import { type Ceilings, ceilingsOf, type MemoryLevel, type OperationKind, wavefrontBytes } from "./ceilings";
import { type MemoryLink, memoryLinks } from "./memory-links";

/** A launch, or launches of one shape together, as a point of a roofline needs it. All modelled. */
export interface LaunchFigure {
  readonly kernel: string;
  readonly blocks: number;
  readonly threadsPerBlock: number;
  readonly times: number;
  /** Without the gaps between them. */
  readonly nanoseconds: number;
  /** Name of the term that is greatest. */
  readonly binding: string;
  /** Floating-point operations. */
  readonly operations: Readonly<Record<OperationKind, number>>;
  /** Of warps. */
  readonly instructions: number;
  /** Moved at each level. */
  readonly bytes: Readonly<Record<MemoryLevel, number>>;
  /** Resident warps of the most that a multiprocessor can hold, 0 to 1. */
  readonly occupancy: number;
}

/** What pictures of a kernel's launches on one GPU are drawn from. */
export interface PerformanceFigure {
  readonly gpu: string;
  /** `sm_80`. */
  readonly architecture: string;
  readonly nanoseconds: number;
  /** Name of the greatest term. */
  readonly binding: string;
  /** Nanoseconds of each term alone, greatest first. */
  readonly terms: readonly { readonly name: string; readonly nanoseconds: number }[];
  /**
   * The least time that the data needs: each sector that is touched crosses DRAM once. Null where nobody
   * looked at reuse.
   */
  readonly floorNanoseconds: number | null;
  readonly ceilings: Ceilings;
  readonly launches: readonly LaunchFigure[];
  readonly memory: readonly MemoryLink[];
}

const sectorBytes = 32;

/** Models launches on a GPU, whichever their counts come from. `kernel`: a name for those that have none. */
export function performanceFigure(
  launches: readonly LaunchProfile[],
  gpu: GpuModel,
  kernel: string,
): PerformanceFigure {
  const bound = modelledBound(launches, gpu);
  return {
    gpu: gpu.name,
    architecture: `sm_${gpu.capability.replace(".", "")}`,
    nanoseconds: bound.nanoseconds,
    binding: bound.binding,
    terms: Object.entries(bound.terms)
      .map(([name, nanoseconds]) => ({ name, nanoseconds }))
      .sort((a, b) => b.nanoseconds - a.nanoseconds),
    floorNanoseconds: floorOf(launches, gpu),
    ceilings: ceilingsOf(gpu),
    launches: launches.map((launch) => launchFigure(launch, gpu, kernel)),
    memory: memoryLinks(launches, gpu),
  };
}

function launchFigure(launch: LaunchProfile, gpu: GpuModel, kernel: string): LaunchFigure {
  const { counters } = launch;
  const { nanoseconds: withGaps, terms } = modelledBound([launch], gpu);
  const { launch: gaps = 0, ...work } = terms;
  const [binding] = Object.entries(work).reduce(
    (most, each) => (each[1] > most[1] ? each : most),
    ["dram", -1],
  );
  const moved = bytesOverLevels(launch, gpu);
  const { warpsPerSm } = launchOccupancy(launch, gpu);
  return {
    kernel: launch.kernel ?? kernel,
    blocks: launch.blocks,
    threadsPerBlock: launch.threadsPerBlock,
    times: timesOf(launch),
    ...{ nanoseconds: withGaps - gaps, binding },
    operations: {
      fp64: counters.fp64Flops,
      fp32: counters.fp32Flops,
      fp16: counters.fp16Flops,
      tensor: counters.tensorFlops,
    },
    instructions: counters.instructions,
    bytes: {
      dram: moved.memoryLoads + moved.memoryStores,
      l2: moved.secondLevelLoads + moved.secondLevelStores,
      shared: counters.sharedWavefronts * wavefrontBytes,
    },
    occupancy: warpsPerSm / limitsOf(`sm_${gpu.capability.replace(".", "")}`).warpsPerSm,
  };
}

/** Launch after launch, each with one wait for memory at the least. */
function floorOf(launches: readonly LaunchProfile[], gpu: GpuModel): number | null {
  let floor = 0;
  for (const { counters, ...launch } of launches) {
    const { loadReuse, storeReuse } = counters;
    if (loadReuse === undefined && storeReuse === undefined) return null;
    const bytes = ((loadReuse?.first ?? 0) + (storeReuse?.first ?? 0)) * sectorBytes;
    const waits = timesOf(launch) * modelConstants.memoryLatencyNanoseconds;
    floor += Math.max(bytes / gpu.memoryGigabytesPerSecond, waits);
  }
  return floor;
}

import type { LineCounters } from "./counters";
import { clockGigahertz, commonLimits, modelConstants, type GpuModel } from "./gpu-model";
import { occupancy } from "./occupancy";
import type { ModelledBound } from "./verdict";

const sectorBytes = 32;
/** Multiply-adds of one warp-level mma.m16n8k16 on 16-bit inputs, the widest shape before Hopper; others count as much, so the term is a ceiling on them. */
const tensorOperations = 16 * 8 * 16 * 2;

/** What one launch did and how it was shaped. */
export interface LaunchProfile {
  readonly counters: Omit<LineCounters, "file" | "line">;
  readonly blocks: number;
  readonly threadsPerBlock: number;
  readonly registersPerThread: number;
  /** Static and dynamic. */
  readonly sharedBytes: number;
  /** Bytes of the buffers that the launch was given: what must cross to or from DRAM at least, as far as it is touched. */
  readonly footprintBytes: number;
}

type Terms = Record<string, number>;

/**
 * Modelled run time of launches one after the other on one GPU, in nanoseconds; never a measurement. Deterministic, and no term falls when
 * a counter rises. Each launch costs its greatest term (all others overlap with it); further launches cost a gap each. The terms and their
 * assumptions are explained in docs/model.md.
 */
export function modelledBound(launches: readonly LaunchProfile[], gpu: GpuModel): ModelledBound {
  const total: Terms = {};
  let nanoseconds = 0;
  for (const launch of launches) {
    const terms = launchTerms(launch, gpu);
    nanoseconds += Math.max(...Object.values(terms));
    for (const [name, value] of Object.entries(terms)) total[name] = (total[name] ?? 0) + value;
  }
  const gaps = Math.max(0, launches.length - 1) * modelConstants.launchGapNanoseconds;
  if (gaps > 0) total["launch"] = gaps;
  const binding = Object.entries(total).reduce((most, each) => (each[1] > most[1] ? each : most), ["dram", -1]);
  return { gpu: gpu.name, nanoseconds: nanoseconds + gaps, terms: total, binding: binding[0] };
}

/** Each term of one launch alone, in nanoseconds. */
function launchTerms(launch: LaunchProfile, gpu: GpuModel): Terms {
  const { counters } = launch;
  const clock = clockGigahertz(gpu);
  const moved = (counters.globalLoadSectors + counters.globalStoreSectors) * sectorBytes;
  const busiest = busiestShare(launch.blocks, gpu.multiprocessors);
  return {
    dram: memoryBytes(moved, launch.footprintBytes) / gpu.memoryGigabytesPerSecond,
    l2: (moved * busiest) / (modelConstants.secondLevelBytesPerClockPerSm * clock),
    shared: (counters.sharedWavefronts * busiest) / (modelConstants.sharedWavefrontsPerClock * clock),
    issue: (counters.instructions * busiest) / (commonLimits.subPartitions * clock),
    tensor: (counters.tensorInstructions * tensorOperations * busiest * gpu.multiprocessors) / (gpu.tensorTeraflops * 1000),
    latency: latency(launch, gpu),
  };
}

/**
 * Share of all work that the busiest multiprocessor does when blocks are alike: with fewer blocks than multiprocessors some idle, and the
 * last, partly filled round counts whole (the tail).
 */
function busiestShare(blocks: number, multiprocessors: number): number {
  const count = Math.max(1, blocks);
  return Math.ceil(count / multiprocessors) / count;
}

/** Bytes over DRAM: what is touched once, and of the traffic beyond that the share that the second-level cache does not catch. */
function memoryBytes(moved: number, footprint: number): number {
  const once = Math.min(moved, footprint);
  return once + (moved - once) * modelConstants.missShare;
}

/** Rounds of resident blocks, each of which waits for at least one access to memory. More resident blocks need fewer rounds. */
function latency(launch: LaunchProfile, gpu: GpuModel): number {
  const requests = launch.counters.globalLoadRequests + launch.counters.globalStoreRequests;
  if (requests === 0) return 0;
  const resident = occupancy({ architecture: `sm_${gpu.capability.replace(".", "")}`, threadsPerBlock: launch.threadsPerBlock, registersPerThread: launch.registersPerThread, sharedBytes: launch.sharedBytes });
  const perRound = Math.max(1, resident.blocksPerSm) * gpu.multiprocessors;
  return Math.ceil(Math.max(1, launch.blocks) / perRound) * modelConstants.memoryLatencyNanoseconds;
}

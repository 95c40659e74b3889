import type { KernelMachineCode } from "../cubin/index";
import type { Executed } from "../timing/execution/executed";
import { type GpuModel, clockGigahertz, commonLimits, limitsOf } from "../timing/gpu-model";
import { type ArchitectureTiming, timingOf } from "../timing/gpu-timing";
import type { LaunchShape } from "../timing/launch-profile";
import { occupancy } from "../timing/occupancy";
import { type MachineCounts, machineCounts } from "./counts/block-counts";
import { accessCosts } from "./machine/accesses";
import { type MultiprocessorTime, simulateMultiprocessor } from "./machine/multiprocessor";
import { type WarpProgram, warpProgram } from "./machine/warp-program";
import type { CacheRoom } from "./traffic";

/** A launch of which some blocks ran on the virtual GPU. */
export interface SimulatedLaunch {
  readonly shape: LaunchShape;
  readonly executed: Executed;
  readonly code: KernelMachineCode;
}

/** The modelled time of one launch on one GPU, and what it is made of. */
export interface LaunchTime {
  readonly nanoseconds: number;
  readonly counts: MachineCounts;
  readonly program: WarpProgram;
  readonly multiprocessor: MultiprocessorTime;
  readonly residentBlocks: number;
  /** Blocks of the multiprocessor that has most. */
  readonly blocks: number;
  readonly clockGigahertz: number;
}

/** Instructions that are issued before the rest is extrapolated. */
const defaultBudget = 600_000;
/**
 * What one multiprocessor can take from the second level when few are at work, relative to its share of all.
 */
const mostOfShare = 1.4;

/** Simulates a launch: one multiprocessor, then the whole GPU. */
export function simulateLaunch(
  { shape, executed, code }: SimulatedLaunch,
  gpu: GpuModel,
  budget = defaultBudget,
): LaunchTime {
  const architecture = `sm_${gpu.capability.replace(".", "")}`;
  const timing = timingOf(architecture);
  const clock = clockGigahertz(gpu);
  const counts = machineCounts(executed, code);
  const blocks = Math.ceil(Math.max(1, shape.blocks) / gpu.multiprocessors);
  const fitting = occupancy({ architecture, ...shape }).blocksPerSm;
  const residentBlocks = Math.max(1, Math.min(fitting, blocks));
  const room = cacheRoom(shape, gpu, residentBlocks);
  const costs = accessCosts(executed, code, counts, room);
  const tensorShare = Math.min(
    1,
    (gpu.tensorTeraflops * 1000) / (gpu.multiprocessors * clock * timing.tensor.fp16),
  );
  const program = warpProgram({
    ...{ code, counts, executed, costs, timing, tensorShare },
    capability: gpu.capability,
  });
  const atWork = Math.min(gpu.multiprocessors, Math.max(1, shape.blocks));
  // What others leave unused, a multiprocessor can take in part.
  const ofShare = Math.min(mostOfShare, gpu.multiprocessors / atWork);
  const memoryPerClock = (gpu.memoryGigabytesPerSecond * timing.memory.memoryEfficiency) / clock;
  const multiprocessor = simulateMultiprocessor({
    ...{ program, timing, residentBlocks, blocks, budget },
    allBlocks: Math.max(1, shape.blocks),
    shares: {
      secondLevelBytesPerClock: timing.memory.secondLevelBytesPerClockPerSm * ofShare,
      secondLevelStoreBytesPerClock: timing.memory.secondLevelStoreBytesPerClockPerSm * ofShare,
      memoryBytesPerClock: memoryPerClock / atWork,
      slices: slicesOf(gpu, timing),
      multiprocessors: atWork,
    },
    warpsPerBlock: Math.max(1, Math.ceil(shape.threadsPerBlock / commonLimits.warpSize)),
    blockInterval: timing.launch.blockIntervalCycles * atWork,
    size: code.instructions.length,
  });
  return {
    nanoseconds: multiprocessor.clocks / clock,
    ...{ counts, program, multiprocessor, residentBlocks, blocks },
    clockGigahertz: clock,
  };
}

/** Slices of the second level go with the channels of the memory bus. */
function slicesOf({ memoryBusBits }: GpuModel, { memory }: ArchitectureTiming): number {
  return memory.secondLevelSlices * Math.min(1, memoryBusBits / memory.secondLevelBusBits);
}

function cacheRoom(shape: LaunchShape, gpu: GpuModel, resident: number): CacheRoom {
  const limits = limitsOf(`sm_${gpu.capability.replace(".", "")}`);
  const shared = shape.sharedBytes === 0 ? 0 : resident * (shape.sharedBytes + limits.reservedSharedBytes);
  const carved = limits.sharedStepsBytes.find((step) => step >= shared) ?? limits.sharedBytesPerSm;
  return {
    firstLevelBytesPerBlock: Math.max(0, limits.firstLevelBytesPerSm - carved) / resident,
    secondLevelBytes: gpu.secondLevelMegabytes * 2 ** 20,
    blocksAtOnce: Math.min(Math.max(1, shape.blocks), resident * gpu.multiprocessors),
    blocks: Math.max(1, shape.blocks),
    footprintBytes: shape.footprintBytes,
  };
}

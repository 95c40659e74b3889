import { type GpuModel, clockGigahertz, commonLimits, limitsOf, modelConstants } from "../gpu-model";

/** Levels of memory that a roofline has a slope for, the farthest first. */
export const memoryLevels = ["dram", "l2", "shared"] as const;
export type MemoryLevel = (typeof memoryLevels)[number];

/** Kinds of floating-point operations that a roofline has a roof for. */
export const operationKinds = ["fp64", "fp32", "fp16", "tensor"] as const;
export type OperationKind = (typeof operationKinds)[number];

/** What a GPU can do at most, with the peaks of its data sheet and the constants of the model. */
export interface Ceilings {
  /** Gigabytes a second, which are bytes a nanosecond. */
  readonly memory: Readonly<Record<MemoryLevel, number>>;
  /** Operations a nanosecond; a fused multiply-add is two. */
  readonly operations: Readonly<Record<OperationKind, number>>;
  /** Instructions of warps a nanosecond. */
  readonly instructions: number;
}

/** Bytes that shared memory hands out in one wavefront. */
export const wavefrontBytes = 128;
const operationsOfFused = 2;

/** The ceilings of a GPU in the model. */
export function ceilingsOf(gpu: GpuModel): Ceilings {
  const { rates } = limitsOf(`sm_${gpu.capability.replace(".", "")}`);
  const clocks = clockGigahertz(gpu) * gpu.multiprocessors;
  const fused = (lanes: number): number => lanes * operationsOfFused * clocks;
  return {
    memory: {
      dram: gpu.memoryGigabytesPerSecond,
      l2: modelConstants.secondLevelBytesPerClockPerSm * clocks,
      shared: modelConstants.sharedWavefrontsPerClock * wavefrontBytes * clocks,
    },
    operations: {
      fp64: fused(rates.fp64),
      fp32: fused(rates.fp32),
      fp16: fused(rates.fp16),
      tensor: gpu.tensorTeraflops * 1000,
    },
    instructions: commonLimits.subPartitions * clocks,
  };
}

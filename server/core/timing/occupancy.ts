import { commonLimits, limitsOf } from "./gpu-model";

export type OccupancyLimiter = "warps" | "blocks" | "registers" | "shared-memory" | "impossible";

export interface Occupancy {
  /** Blocks that fit on one multiprocessor at the same time; 0 when the kernel cannot be launched at all. */
  readonly blocksPerSm: number;
  readonly warpsPerSm: number;
  /** Resident warps of the most that the multiprocessor can hold, 0 to 1. */
  readonly fraction: number;
  readonly limiter: OccupancyLimiter;
  /** One sentence: what would let one more block in; empty at full occupancy. */
  readonly advice: string;
}

export interface OccupancyInput {
  /** `sm_80`. */
  readonly architecture: string;
  readonly threadsPerBlock: number;
  readonly registersPerThread: number;
  /** Static and dynamic together, in bytes. */
  readonly sharedBytes: number;
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

/**
 * Theoretical occupancy: how many blocks the four resources admit; the least wins. Registers are given to
 * warps in steps of 256 within each of the four sub-partitions; shared memory is taken in the architecture's
 * steps, with what the system reserves for each block.
 */
export function occupancy(input: OccupancyInput): Occupancy {
  const limits = limitsOf(input.architecture);
  const warps = Math.ceil(input.threadsPerBlock / commonLimits.warpSize);
  const registersPerWarp = roundUp(
    input.registersPerThread * commonLimits.warpSize,
    commonLimits.registerGranularity,
  );
  const shared = roundUp(input.sharedBytes + limits.reservedSharedBytes, limits.sharedGranularityBytes);
  // The hardware checks a block as if its warps were spread evenly over the sub-partitions.
  const problem = impossible(
    input,
    registersPerWarp * roundUp(warps, commonLimits.subPartitions),
    limits.sharedBytesPerBlock,
  );
  if (problem !== undefined)
    return { blocksPerSm: 0, warpsPerSm: 0, fraction: 0, limiter: "impossible", advice: problem };
  const byPartition =
    registersPerWarp === 0
      ? limits.warpsPerSm
      : Math.floor(commonLimits.registersPerSm / commonLimits.subPartitions / registersPerWarp) *
        commonLimits.subPartitions;
  const choices: readonly (readonly [Exclude<OccupancyLimiter, "impossible">, number])[] = [
    ["warps", Math.floor(limits.warpsPerSm / warps)],
    ["blocks", limits.blocksPerSm],
    ["registers", Math.floor(byPartition / warps)],
    ["shared-memory", shared === 0 ? limits.blocksPerSm : Math.floor(limits.sharedBytesPerSm / shared)],
  ];
  const [limiter, blocks] = choices.reduce((least, each) => (each[1] < least[1] ? each : least));
  const resident = blocks * warps;
  const fraction = resident / limits.warpsPerSm;
  return {
    blocksPerSm: blocks,
    warpsPerSm: resident,
    fraction,
    limiter,
    advice: fraction >= 1 ? "" : advise(limiter, blocks + 1, warps, input),
  };
}

function impossible(
  input: OccupancyInput,
  registersPerBlock: number,
  sharedLimit: number,
): string | undefined {
  if (input.threadsPerBlock < 1 || input.threadsPerBlock > commonLimits.threadsPerBlock)
    return `a block may have 1 to ${commonLimits.threadsPerBlock} threads, not ${input.threadsPerBlock}`;
  if (
    input.registersPerThread > commonLimits.registersPerThread ||
    registersPerBlock > commonLimits.registersPerBlock
  )
    return `a block may use ${commonLimits.registersPerBlock} registers, this one needs ${registersPerBlock}`;
  if (input.sharedBytes > sharedLimit)
    return `a block may use ${sharedLimit} bytes of shared memory, not ${input.sharedBytes}`;
  return undefined;
}

function advise(limiter: OccupancyLimiter, blocks: number, warps: number, input: OccupancyInput): string {
  const limits = limitsOf(input.architecture);
  switch (limiter) {
    case "registers": {
      const warpsPerPartition = Math.ceil((blocks * warps) / commonLimits.subPartitions);
      const perWarp =
        Math.floor(
          commonLimits.registersPerSm /
            commonLimits.subPartitions /
            warpsPerPartition /
            commonLimits.registerGranularity,
        ) * commonLimits.registerGranularity;
      const perThread = Math.floor(perWarp / commonLimits.warpSize);
      return `${perThread} registers a thread instead of ${input.registersPerThread} would let ${blocks} blocks in`;
    }
    case "shared-memory": {
      const room =
        Math.floor(limits.sharedBytesPerSm / blocks / limits.sharedGranularityBytes) *
          limits.sharedGranularityBytes -
        limits.reservedSharedBytes;
      return `${Math.max(0, room)} bytes of shared memory a block instead of ${input.sharedBytes} would let ${blocks} blocks in`;
    }
    case "blocks":
      return `blocks of more than ${warps * commonLimits.warpSize} threads would fill the multiprocessor: it holds ${limits.blocksPerSm} blocks at most`;
    default:
      return `blocks whose warps divide ${limits.warpsPerSm} would fill the multiprocessor`;
  }
}

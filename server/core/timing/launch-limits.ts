import { at } from "../base/known";
import { commonLimits, limitsOf } from "./gpu-model";

/** A launch with what its kernel takes; extents are x, y, z, memory is in bytes. */
interface LimitedLaunch {
  readonly architecture: string;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly registersPerThread: number;
  readonly staticSharedBytes: number;
  readonly dynamicSharedBytes: number;
}

/** Why a GPU takes no launch: its shape, what it needs together, or a value that is out of range. */
export interface LimitProblem {
  readonly kind: "configuration" | "resources" | "value";
  readonly message: string;
}

const mostGrid = [2 ** 31 - 1, 65_535, 65_535] as const;
const mostBlock = [1024, 1024, 64] as const;

/**
 * Why a GPU of the architecture would not take a launch, whatever the program has allowed (CUDA C++
 * Programming Guide, compute capabilities); undefined when it would.
 */
export function limitProblem(launch: LimitedLaunch): LimitProblem | undefined {
  return shapeProblem(launch) ?? registerProblem(launch) ?? sharedProblem(launch);
}

/** Why no GPU takes a grid and a block of these extents. */
export function shapeProblem({
  grid,
  block,
}: Pick<LimitedLaunch, "grid" | "block">): LimitProblem | undefined {
  const threads = block[0] * block[1] * block[2];
  const configuration = (message: string): LimitProblem => ({ kind: "configuration", message });
  if (grid.some((size, axis) => size < 1 || size > at(mostGrid, axis)))
    return configuration(
      `a grid of (${grid.join(", ")}) blocks is out of range: the most is (${mostGrid.join(", ")})`,
    );
  if (block.some((size, axis) => size < 1 || size > at(mostBlock, axis)))
    return configuration(
      `a block of (${block.join(", ")}) threads is out of range: the most is (${mostBlock.join(", ")}), and 1024 in all`,
    );
  if (threads > commonLimits.threadsPerBlock)
    return configuration(`${threads} threads a block are more than ${commonLimits.threadsPerBlock}`);
  return undefined;
}

/** Whether a block's threads find enough registers. */
export function registerProblem({
  block,
  registersPerThread,
}: Pick<LimitedLaunch, "block" | "registersPerThread">): LimitProblem | undefined {
  const threads = block[0] * block[1] * block[2];
  const registers = registersOf(registersPerThread, threads);
  if (registers <= commonLimits.registersPerBlock) return undefined;
  return {
    kind: "resources",
    message: `${threads} threads of ${registersPerThread} registers need ${registers} registers, and a block may use ${commonLimits.registersPerBlock}`,
  };
}

/** Whether a block finds enough shared memory on the architecture. */
export function sharedProblem(
  launch: Pick<LimitedLaunch, "architecture" | "staticSharedBytes" | "dynamicSharedBytes">,
): LimitProblem | undefined {
  const most = limitsOf(launch.architecture).sharedBytesPerBlock;
  const shared = launch.staticSharedBytes + launch.dynamicSharedBytes;
  if (shared <= most) return undefined;
  return {
    kind: "value",
    message: `${shared} bytes of shared memory a block are more than the ${most} that ${launch.architecture} has`,
  };
}

/** Registers are given to whole warps in steps of 256. */
function registersOf(registers: number, threads: number): number {
  const step = commonLimits.registerGranularity;
  return (
    Math.ceil(threads / commonLimits.warpSize) * Math.ceil((registers * commonLimits.warpSize) / step) * step
  );
}

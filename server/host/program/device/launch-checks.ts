import { at } from "../../../core/base/known";
import { commonLimits, limitsOf } from "../../../core/timing/gpu-model";
import { occupancy } from "../../../core/timing/occupancy";
import type { Triple } from "../../../core/vgpu/index";
import type { KernelFacts } from "./loaded-module";
import { statuses } from "../protocol/messages";
import type { DeviceProblem } from "./statuses";

/** What a program asks for. */
export interface DeviceLaunch {
  readonly module: bigint;
  readonly kernel: string;
  readonly grid: Triple;
  readonly block: Triple;
  readonly dynamicSharedBytes: number;
  /**
   * The most dynamic shared memory that the program has allowed this kernel (48 KiB less the static part when
   * it has not said).
   */
  readonly dynamicSharedLimit: number;
  readonly cooperative: boolean;
  /** Counts this launch even when the device does not profile. */
  readonly counted: boolean;
  /**
   * A kernel that the virtual GPU cannot run breaks the context: for programs that need not look at what a
   * launch says.
   */
  readonly breaksWhenRefused: boolean;
  /** The kernel is Triton's. */
  readonly triton: boolean;
  readonly where: string;
  /** The parameters' block as the kernel reads it. */
  readonly parameters: Uint8Array;
}

export interface ModelledGpu {
  readonly architecture: string;
  readonly multiprocessors: number;
}

const mostGrid = [2 ** 31 - 1, 65_535, 65_535] as const;
const mostBlock = [1024, 1024, 64] as const;

/**
 * Why the modelled GPU would not take a launch (CUDA C++ Programming Guide, compute capabilities); undefined
 * when it would.
 */
export function launchProblem(
  launch: DeviceLaunch,
  kernel: KernelFacts,
  gpu: ModelledGpu,
): DeviceProblem | undefined {
  const { grid, block } = launch;
  const threads = block[0] * block[1] * block[2];
  const configuration = (message: string): DeviceProblem => ({
    status: statuses.invalidConfiguration,
    message,
  });
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
  return resourceProblem(launch, kernel, gpu);
}

function resourceProblem(
  launch: DeviceLaunch,
  kernel: KernelFacts,
  gpu: ModelledGpu,
): DeviceProblem | undefined {
  const { block, dynamicSharedBytes } = launch;
  const threads = block[0] * block[1] * block[2];
  const resources = (message: string): DeviceProblem => ({ status: statuses.launchOutOfResources, message });
  const value = (message: string): DeviceProblem => ({ status: statuses.invalidValue, message });
  if (threads > kernel.maxThreads)
    return resources(
      `${threads} threads a block are more than the ${kernel.maxThreads} that the kernel was compiled for (its launch bounds)`,
    );
  const registers = registersOf(kernel.machine?.registers ?? 0, threads);
  if (registers > commonLimits.registersPerBlock)
    return resources(
      `${threads} threads of ${kernel.machine?.registers ?? 0} registers need ${registers} registers, and a block may use ${commonLimits.registersPerBlock}`,
    );
  const most = limitsOf(gpu.architecture).sharedBytesPerBlock;
  const shared = kernel.staticSharedBytes + dynamicSharedBytes;
  if (shared > most)
    return value(
      `${shared} bytes of shared memory a block are more than the ${most} that ${gpu.architecture} has`,
    );
  const allowed = Math.max(
    launch.dynamicSharedLimit,
    commonLimits.staticSharedBytes - kernel.staticSharedBytes,
  );
  if (dynamicSharedBytes > allowed)
    return value(
      `${dynamicSharedBytes} bytes of dynamic shared memory are more than ${allowed}: allow them with cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)`,
    );
  const given = launch.parameters.byteLength;
  const wanted = kernel.parameters.reduce((end, { offset, size }) => Math.max(end, offset + size), 0);
  if (given < wanted) return value(`the kernel reads ${wanted} bytes of parameters, but ${given} were given`);
  return launch.cooperative ? cooperativeProblem(launch, kernel, gpu) : undefined;
}

/** Registers are given to whole warps in steps of 256. */
function registersOf(registers: number, threads: number): number {
  const step = commonLimits.registerGranularity;
  return (
    Math.ceil(threads / commonLimits.warpSize) * Math.ceil((registers * commonLimits.warpSize) / step) * step
  );
}

/** Blocks of a kernel that one multiprocessor holds at once. */
export function residentBlocks(
  kernel: KernelFacts,
  shape: { readonly threads: number; readonly dynamicSharedBytes: number },
  gpu: ModelledGpu,
): number {
  return occupancy({
    architecture: gpu.architecture,
    threadsPerBlock: shape.threads,
    registersPerThread: kernel.machine?.registers ?? 0,
    sharedBytes: kernel.staticSharedBytes + shape.dynamicSharedBytes,
  }).blocksPerSm;
}

/** Blocks of a launch that the whole GPU holds at once. */
export function blocksAtOnce(
  { block, dynamicSharedBytes }: DeviceLaunch,
  kernel: KernelFacts | undefined,
  gpu: ModelledGpu,
): number {
  return kernel === undefined
    ? gpu.multiprocessors
    : residentBlocks(kernel, { threads: block[0] * block[1] * block[2], dynamicSharedBytes }, gpu) *
        gpu.multiprocessors;
}

/** All blocks of a cooperative launch have to be resident at once. */
function cooperativeProblem(
  launch: DeviceLaunch,
  kernel: KernelFacts,
  gpu: ModelledGpu,
): DeviceProblem | undefined {
  const blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  const room = blocksAtOnce(launch, kernel, gpu);
  if (blocks <= room) return undefined;
  return {
    status: statuses.cooperativeLaunchTooLarge,
    message: `${blocks} blocks of a cooperative launch are more than the ${room} that are resident at once`,
  };
}

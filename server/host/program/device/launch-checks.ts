import { commonLimits } from "../../../core/timing/gpu-model";
import {
  type LimitProblem,
  registerProblem,
  shapeProblem,
  sharedProblem,
} from "../../../core/timing/launch-limits";
import { occupancy } from "../../../core/timing/occupancy";
import type { Triple } from "../../../core/vgpu/index";
import { type KernelFacts, registersOf } from "./loaded-module";
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
  /** Where it is long, some of its blocks stand for all, and what it leaves in memory is of no use. */
  readonly sampled: boolean;
  /**
   * A kernel that the virtual GPU cannot run breaks the context: for programs that need not look at what a
   * launch says.
   */
  readonly breaksWhenRefused: boolean;
  /** It may begin before the launch before it has ended. */
  readonly programmatic?: boolean;
  /** Blocks of a cluster by axis; left out: what the kernel says, or none. */
  readonly cluster?: Triple;
  /** A cluster may have more blocks than every GPU with clusters takes. */
  readonly largeClusters?: boolean;
  /** The kernel is Triton's. */
  readonly triton: boolean;
  readonly where: string;
  /** Grids that have launched this one, each the next; left out for a launch of the program's own. */
  readonly nesting?: number;
  /** The parameters' block as the kernel reads it. */
  readonly parameters: Uint8Array;
}

export interface ModelledGpu {
  readonly architecture: string;
  readonly multiprocessors: number;
}

/** As the runtime of CUDA 13.0 answers on an H100; earlier ones called a shape an invalid configuration. */
const statusOf: Readonly<Record<LimitProblem["kind"], DeviceProblem["status"]>> = {
  configuration: statuses.invalidValue,
  resources: statuses.launchOutOfResources,
  value: statuses.invalidValue,
};

/**
 * Why the modelled GPU would not take a launch (CUDA C++ Programming Guide, compute capabilities); undefined
 * when it would.
 */
export function launchProblem(
  launch: DeviceLaunch,
  kernel: KernelFacts,
  gpu: ModelledGpu,
): DeviceProblem | undefined {
  const problem = shapeProblem(launch);
  return problem === undefined ? resourceProblem(launch, kernel, gpu) : deviceProblem(problem);
}

function deviceProblem({ kind, message }: LimitProblem): DeviceProblem {
  return { status: statusOf[kind], message };
}

function resourceProblem(
  launch: DeviceLaunch,
  kernel: KernelFacts,
  gpu: ModelledGpu,
): DeviceProblem | undefined {
  const { block, dynamicSharedBytes } = launch;
  const threads = block[0] * block[1] * block[2];
  const value = (message: string): DeviceProblem => ({ status: statuses.invalidValue, message });
  if (threads > kernel.maxThreads)
    return value(
      `${threads} threads a block are more than the ${kernel.maxThreads} that the kernel was compiled for (its launch bounds)`,
    );
  const problem =
    registerProblem({ block, registersPerThread: registersOf(kernel) }) ??
    sharedProblem({
      architecture: gpu.architecture,
      staticSharedBytes: kernel.staticSharedBytes,
      dynamicSharedBytes,
    });
  if (problem !== undefined) return deviceProblem(problem);
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
  const ofCluster = clusterProblem(launch, kernel, gpu);
  if (ofCluster !== undefined || !launch.cooperative) return ofCluster;
  return cooperativeProblem(launch, kernel, gpu);
}

/** Blocks of a cluster that every GPU takes which has clusters, and the most where a kernel allows more. */
const portableCluster = 8;
const largestCluster = 16;
const firstWithClusters = 90;

/** Why the launch's clusters are wrong (CUDA C++ Programming Guide, thread block clusters). */
function clusterProblem(
  { grid, cluster: given, largeClusters }: DeviceLaunch,
  { cluster: own }: KernelFacts,
  { architecture }: ModelledGpu,
): DeviceProblem | undefined {
  const cluster = given ?? own;
  if (cluster === undefined) return undefined;
  const wrong = (message: string): DeviceProblem => ({ status: statuses.invalidClusterSize, message });
  const blocks = cluster[0] * cluster[1] * cluster[2];
  const most = largeClusters === true ? largestCluster : portableCluster;
  const shape = `the cluster (${cluster.join(", ")})`;
  if (blocks > 1 && Number(architecture.replace(/\D/g, "")) < firstWithClusters)
    return wrong(`${architecture} has no clusters of blocks: sm_90 is the first that has`);
  if (blocks > most || blocks === 0)
    return wrong(
      `${shape} has ${blocks} blocks, of which the GPU takes ${most}${most < largestCluster ? " (16 with cudaFuncAttributeNonPortableClusterSizeAllowed)" : ""}`,
    );
  if (own?.some((size, axis) => size !== cluster[axis]))
    return wrong(`${shape} is not the one that the kernel was compiled for (${own.join(", ")})`);
  if (grid.some((size, axis) => size % (cluster[axis] ?? 1) !== 0))
    return wrong(`the grid (${grid.join(", ")}) is no multiple of ${shape}`);
  return undefined;
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
    registersPerThread: registersOf(kernel),
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

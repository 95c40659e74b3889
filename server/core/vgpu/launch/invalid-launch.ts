import type { CompiledKernel } from "../compile-kernel";
import { checkArguments } from "./state/arguments";
import { clusterOf, clusterSize } from "./state/clusters/cluster-blocks";
import { mostResident } from "./state/launch-plan";
import type { LaunchRequest, Triple } from "./state/types";

/** Limits of a launch by axis (CUDA C++ Programming Guide, compute capabilities). */
const gridLimits: Triple = [2 ** 31 - 1, 65_535, 65_535];
const blockLimits: Triple = [1024, 1024, 64];
const maximumThreads = 1024;
/** Where the kernel allows more than 8, which is the host's to check. */
const mostClusterBlocks = 16;
/** Bytes: the most of any architecture that is modelled, opt-in sizes included. */
const maximumShared = 232_448;

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}

function isWithin([x, y, z]: Triple, [mostX, mostY, mostZ]: Triple): boolean {
  return isWhole(x, 1, mostX) && isWhole(y, 1, mostY) && isWhole(z, 1, mostZ);
}

/** Why a launch's block has a wrong size; undefined when it is legal. */
function invalidBlock(kernel: CompiledKernel, block: Triple): string | undefined {
  if (!isWithin(block, blockLimits)) return `the block (${block.join(", ")}) is out of range`;
  const threads = block[0] * block[1] * block[2];
  if (threads > maximumThreads) return `${threads} threads a block are more than ${maximumThreads}`;
  const { maxThreads, requiredThreads } = kernel;
  const limit = maxThreads && maxThreads[0] * maxThreads[1] * maxThreads[2];
  if (limit !== undefined && threads > limit)
    return `${threads} threads a block are more than the kernel's launch bound of ${limit}`;
  if (requiredThreads?.some((size, axis) => size !== block[axis]))
    return `the kernel has to be launched with a block of (${requiredThreads.join(", ")})`;
  return undefined;
}

/** Why a launch's clusters are illegal; undefined when they are legal or there are none. */
function invalidCluster(kernel: CompiledKernel, request: LaunchRequest): string | undefined {
  const cluster = clusterOf(kernel, request);
  if (cluster === undefined) return undefined;
  const size = clusterSize(kernel, request);
  const shape = `the cluster (${cluster.join(", ")})`;
  if (
    !isWithin(cluster, [mostClusterBlocks, mostClusterBlocks, mostClusterBlocks]) ||
    size > mostClusterBlocks
  )
    return `${shape} has more than ${mostClusterBlocks} blocks`;
  if (kernel.cluster?.some((length, axis) => length !== cluster[axis]))
    return `the kernel has to be launched with clusters of (${kernel.cluster.join(", ")})`;
  if (request.grid.some((length, axis) => length % (cluster[axis] ?? 1) !== 0))
    return `the grid (${request.grid.join(", ")}) is no multiple of ${shape}`;
  return undefined;
}

/** Why a launch is illegal; undefined when it is legal. */
export function invalidLaunch(kernel: CompiledKernel, request: LaunchRequest): string | undefined {
  const { grid, block, dynamicSharedBytes } = request;
  if (!isWithin(grid, gridLimits)) return `the grid (${grid.join(", ")}) is out of range`;
  const wrongBlock = invalidBlock(kernel, block);
  if (wrongBlock !== undefined) return wrongBlock;
  const shared = kernel.sharedBytes + dynamicSharedBytes;
  if (!isWhole(dynamicSharedBytes, 0, maximumShared) || shared > maximumShared)
    return `${shared} bytes of shared memory are more than ${maximumShared}`;
  const wrongCluster = invalidCluster(kernel, request);
  if (wrongCluster !== undefined) return wrongCluster;
  const blocks = grid[0] * grid[1] * grid[2];
  const resident = mostResident(kernel, request);
  if (request.cooperative && blocks > resident)
    return `${blocks} blocks of a cooperative launch are more than the ${resident} that the GPU holds at once`;
  return checkArguments(kernel.parameters, request.arguments);
}

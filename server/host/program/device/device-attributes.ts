import { at } from "../../../core/base/known";
import {
  capabilityOf,
  clockGigahertz,
  commonLimits,
  type GpuModel,
  limitsOf,
} from "../../../core/timing/gpu-model";

/**
 * The largest CUDA arrays: widths, heights, depths and layers. All GPUs since compute capability 6.0 have the
 * same (CUDA C++ Programming Guide, technical specifications).
 */
const arraySizes: readonly (readonly [number, number])[] = [
  [21, 131_072],
  [22, 131_072],
  [23, 65_536],
  [24, 16_384],
  [25, 16_384],
  [26, 16_384],
  [27, 32_768],
  [28, 32_768],
  [29, 2048],
  [42, 32_768],
  [43, 2048],
];

/**
 * Answers to `cudaDeviceGetAttribute` by the numbers of `cudaDeviceAttr`. A number that is not here is
 * answered with 0: what the data files do not say of a GPU is not made up.
 */
export function deviceAttributes(gpu: GpuModel, architecture: string): ReadonlyMap<number, number> {
  const limits = limitsOf(architecture);
  const capability = capabilityOf(architecture).split(".").map(Number);
  const [major, minor] = [at(capability, 0), at(capability, 1)];
  const secondLevelBytes = gpu.secondLevelMegabytes * 2 ** 20;
  // Programs reckon the bandwidth as twice this clock times the width of the bus.
  const memoryKilohertz = Math.round((gpu.memoryGigabytesPerSecond * 1e6) / (gpu.memoryBusBits / 8) / 2);
  const threads = limits.warpsPerSm * commonLimits.warpSize;
  return new Map([
    [1, commonLimits.threadsPerBlock],
    [2, 1024],
    [3, 1024],
    [4, 64],
    [5, 2 ** 31 - 1],
    [6, 65_535],
    [7, 65_535],
    [8, commonLimits.staticSharedBytes],
    [9, 65_536],
    [10, commonLimits.warpSize],
    [11, 2 ** 31 - 1],
    [12, commonLimits.registersPerBlock],
    [13, Math.round(clockGigahertz(gpu) * 1e6)],
    [14, 512],
    [15, 1],
    [16, gpu.multiprocessors],
    [19, 1],
    [31, 1],
    [36, memoryKilohertz],
    [37, gpu.memoryBusBits],
    [38, secondLevelBytes],
    [39, threads],
    [40, 1],
    [41, 1],
    [51, 32],
    [75, major],
    [76, minor],
    [79, 1],
    [80, 1],
    [81, limits.sharedBytesPerSm],
    [82, commonLimits.registersPerSm],
    [83, 1],
    [95, 1],
    [97, limits.sharedBytesPerBlock],
    ...arraySizes,
    [99, 1],
    [102, 1],
    [106, limits.blocksPerSm],
    [111, limits.reservedSharedBytes],
    [115, 1],
  ]);
}

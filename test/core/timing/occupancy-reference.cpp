// Answers from the CUDA toolkit's own occupancy calculator: rows of numbers in, "blocks limiting-factors"
// out.
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cuda_occupancy.h>

int main() {
  int major, minor, warps, registers, sharedPerSm, sharedPerBlock, reserved, threads, registersPerThread,
      shared;
  while (std::scanf("%d %d %d %d %d %d %d %d %d %d", &major, &minor, &warps, &registers, &sharedPerSm,
                    &sharedPerBlock, &reserved, &threads, &registersPerThread, &shared) == 10) {
    cudaOccDeviceProp device;
    device.computeMajor = major;
    device.computeMinor = minor;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = 32 * warps;
    device.regsPerBlock = registers;
    device.regsPerMultiprocessor = registers;
    device.warpSize = 32;
    device.sharedMemPerBlock = 49152;
    device.sharedMemPerMultiprocessor = static_cast<std::size_t>(sharedPerSm);
    device.numSms = 1;
    device.sharedMemPerBlockOptin = static_cast<std::size_t>(sharedPerBlock);
    device.reservedSharedMemPerBlock = static_cast<std::size_t>(reserved);
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = 1024;
    kernel.numRegs = registersPerThread;
    kernel.sharedSizeBytes = 0;
    kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.maxDynamicSharedSizeBytes = static_cast<std::size_t>(sharedPerBlock);
    kernel.numBlockBarriers = 1;
    cudaOccDeviceState state;
    cudaOccResult result;
    const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
        &result, &device, &kernel, &state, threads, static_cast<std::size_t>(shared));
    if (error != CUDA_OCC_SUCCESS)
      std::printf("0 0\n");
    else
      std::printf("%d %u\n", result.activeBlocksPerMultiprocessor, result.limitingFactors);
  }
}

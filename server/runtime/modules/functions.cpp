// What a program asks of its kernels: attributes and occupancy.
#include <algorithm>

#include "device/runtime.hpp"

namespace kernelwright {
namespace {

cudaError_t residentBlocks(int *blocks, const Kernel &kernel, int threads, size_t dynamicSharedBytes) {
  if (threads < 1 || dynamicSharedBytes > UINT32_MAX) return settle(cudaErrorInvalidValue);
  protocol::OccupancyReply reply;
  const int status =
      ask(protocol::occupancyRequest(kernel.module->handle, kernel.name, static_cast<uint32_t>(threads),
                                     static_cast<uint32_t>(dynamicSharedBytes)),
          reply);
  if (status == 0) *blocks = static_cast<int>(reply.blocks);
  return settle(status);
}

/** Dynamic shared memory that the kernel may use as things stand. */
uint32_t dynamicLimit(const Kernel &kernel) {
  const uint32_t plain = static_cast<uint32_t>(device().attribute(cudaDevAttrMaxSharedMemoryPerBlock));
  return std::max(kernel.dynamicSharedLimit,
                  plain > kernel.staticSharedBytes ? plain - kernel.staticSharedBytes : 0);
}

} // namespace
} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function) {
  Kernel *kernel = nullptr;
  const cudaError_t error = findKernel(function, &kernel);
  if (error != cudaSuccess) return error;
  *attributes = {};
  const int capability = 10 * device().attribute(cudaDevAttrComputeCapabilityMajor) +
                         device().attribute(cudaDevAttrComputeCapabilityMinor);
  attributes->sharedSizeBytes = kernel->staticSharedBytes;
  attributes->localSizeBytes = kernel->localBytes;
  attributes->numRegs = static_cast<int>(kernel->registers);
  // Of a GPU before sm_80 the code of sm_80 runs.
  attributes->ptxVersion = std::max(capability, 80);
  attributes->binaryVersion = capability;
  attributes->maxThreadsPerBlock = static_cast<int>(kernel->maxThreads);
  if (kernel->registers > 0) {
    // Whole warps, each of whose registers are handed out in steps of 256.
    const uint32_t perWarp = (kernel->registers * 32 + 255) / 256 * 256;
    const uint32_t warps =
        static_cast<uint32_t>(device().attribute(cudaDevAttrMaxRegistersPerBlock)) / perWarp;
    attributes->maxThreadsPerBlock = static_cast<int>(std::min(kernel->maxThreads, 32 * warps));
  }
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamicLimit(*kernel));
  attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value) {
  Kernel *kernel = nullptr;
  const cudaError_t error = findKernel(function, &kernel);
  if (error != cudaSuccess) return error;
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return value >= -1 && value <= 100 ? cudaSuccess : settle(cudaErrorInvalidValue);
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
    kernel->largeClusters = value != 0;
    return cudaSuccess;
  }
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
    return lacking("clusters of blocks that the kernel sets by an attribute");
  const int most = device().attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) -
                   static_cast<int>(kernel->staticSharedBytes);
  if (value < 0 || value > most) return settle(cudaErrorInvalidValue);
  kernel->dynamicSharedLimit = static_cast<uint32_t>(value);
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache) {
  Kernel *kernel = nullptr;
  return findKernel(function, &kernel);
}

cudaError_t cudaFuncGetName(const char **name, const void *function) {
  Kernel *kernel = nullptr;
  const cudaError_t error = findKernel(function, &kernel);
  if (error == cudaSuccess) *name = kernel->name.c_str();
  return error;
}

cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *size) {
  Kernel *kernel = nullptr;
  const cudaError_t error = findKernel(function, &kernel);
  if (error != cudaSuccess) return error;
  if (index >= kernel->parameters.size()) return settle(cudaErrorInvalidValue);
  *offset = kernel->parameters[index].offset;
  if (size != nullptr) *size = kernel->parameters[index].size;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                          size_t dynamicSharedBytes) {
  Kernel *kernel = nullptr;
  const cudaError_t error = findKernel(function, &kernel);
  return error == cudaSuccess ? residentBlocks(blocks, *kernel, threads, dynamicSharedBytes) : error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                   int threads, size_t dynamicSharedBytes,
                                                                   unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamicSharedBytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int wanted,
                                                      int threads) {
  Kernel *kernel = nullptr;
  const cudaError_t error = findKernel(function, &kernel);
  if (error != cudaSuccess) return error;
  // The most, in steps of the hardware's granularity, with which that many blocks still fit.
  size_t least = 0;
  size_t most = static_cast<size_t>(device().attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) -
                kernel->staticSharedBytes;
  int blocks = 0;
  cudaError_t asked = residentBlocks(&blocks, *kernel, threads, 0);
  if (asked != cudaSuccess || blocks < wanted)
    return asked == cudaSuccess ? settle(cudaErrorInvalidValue) : asked;
  while (most - least > 128) {
    const size_t middle = (least + most) / 2;
    asked = residentBlocks(&blocks, *kernel, threads, middle);
    if (asked != cudaSuccess) return asked;
    (blocks >= wanted ? least : most) = middle;
  }
  *bytes = least / 128 * 128;
  return cudaSuccess;
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value,
                                            int number) {
  return number == 0 ? cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value)
                     : settle(cudaErrorInvalidDevice);
}

} // extern "C"

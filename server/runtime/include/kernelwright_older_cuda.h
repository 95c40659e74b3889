// What CUDA 12 and older had and CUDA 13 has no longer. Sources that need it are compiled with it in front.
#ifndef KERNELWRIGHT_OLDER_CUDA_H
#define KERNELWRIGHT_OLDER_CUDA_H

#include <cuda_runtime.h>

#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset

#ifdef __cplusplus
struct KernelwrightDeviceProperties : cudaDeviceProp {
  int clockRate, memoryClockRate, computeMode, deviceOverlap, kernelExecTimeoutEnabled;
  int singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};

static inline cudaError_t cudaGetDeviceProperties(KernelwrightDeviceProperties *properties, int device) {
  const cudaError_t status = cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(properties), device);
  if (status != cudaSuccess) return status;
  properties->cooperativeMultiDeviceLaunch = 0;
  const struct {
    int *value;
    cudaDeviceAttr attribute;
  } moved[] = {
      {&properties->clockRate, cudaDevAttrClockRate},
      {&properties->memoryClockRate, cudaDevAttrMemoryClockRate},
      {&properties->computeMode, cudaDevAttrComputeMode},
      {&properties->deviceOverlap, cudaDevAttrGpuOverlap},
      {&properties->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout},
      {&properties->singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio},
  };
  for (const auto &each : moved) {
    const cudaError_t asked = cudaDeviceGetAttribute(each.value, each.attribute, device);
    if (asked != cudaSuccess) return asked;
  }
  return cudaSuccess;
}
#define cudaDeviceProp KernelwrightDeviceProperties

static inline cudaMemLocation kernelwrightLocation(int device) {
  cudaMemLocation location = {};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}

static inline cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size, int device,
                                               cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(memory, size, kernelwrightLocation(device), 0, stream);
}

static inline cudaError_t cudaMemAdvise(const void *memory, size_t size, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(memory, size, advice, kernelwrightLocation(device));
}

// What the lanes of a warp tell each other, without a mask: those that run.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
template <class T> static __device__ __forceinline__ T __shfl(T value, int lane, int width = warpSize) {
  return __shfl_sync(__activemask(), value, lane, width);
}
template <class T> static __device__ __forceinline__ T __shfl_up(T value, unsigned delta, int width = warpSize) {
  return __shfl_up_sync(__activemask(), value, delta, width);
}
template <class T> static __device__ __forceinline__ T __shfl_down(T value, unsigned delta, int width = warpSize) {
  return __shfl_down_sync(__activemask(), value, delta, width);
}
template <class T> static __device__ __forceinline__ T __shfl_xor(T value, int mask, int width = warpSize) {
  return __shfl_xor_sync(__activemask(), value, mask, width);
}
// The toolkit declares these, and its assembler refuses them.
#define __all(condition) __all_sync(__activemask(), condition)
#define __any(condition) __any_sync(__activemask(), condition)
#define __ballot(condition) __ballot_sync(__activemask(), condition)
#endif
#endif

#endif

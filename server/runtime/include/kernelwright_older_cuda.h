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
#endif

#endif

// The device and its context in the driver API, and the names of errors.
#include <cstring>
#include <vector>

#include "libraries/driver/driver.hpp"

namespace kernelwright::driver {

CUresult resultOf(cudaError_t error) {
  switch (error) {
  case cudaErrorInvalidDeviceFunction:
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidMemcpyDirection:
  case cudaErrorInvalidPitchValue:
    return CUDA_ERROR_INVALID_VALUE;
  default:
    return static_cast<CUresult>(error);
  }
}

namespace {

/** The only context. Programs see its address alone. */
char onlyContext;
CUcontext theContext() { return reinterpret_cast<CUcontext>(&onlyContext); }

/** Contexts that are current for this thread, the last one on top. */
thread_local std::vector<CUcontext> current;
bool initialized = false;

/** The context of this thread: its own, else that which calls of the runtime use. Null without either. */
CUcontext presentContext() {
  if (!current.empty()) return current.back();
  return usesPrimaryContext() ? theContext() : nullptr;
}

const char *nameOf(CUresult result) {
  switch (result) {
#define RESULT(name)                                                                                         \
  case name:                                                                                                 \
    return #name;
#include "libraries/driver/driver-errors.def"
#undef RESULT
  default:
    return nullptr;
  }
}

CUresult checked(CUdevice device) {
  if (!initialized && !usesPrimaryContext()) return CUDA_ERROR_NOT_INITIALIZED;
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

} // namespace
} // namespace kernelwright::driver

using namespace kernelwright;
using namespace kernelwright::driver;

extern "C" {

CUresult cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  device();
  initialized = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) { return resultOf(cudaDriverGetVersion(version)); }

CUresult cuGetErrorName(CUresult error, const char **name) {
  *name = nameOf(error);
  return *name == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  *text = nameOf(error) == nullptr ? nullptr : cudaGetErrorString(static_cast<cudaError_t>(error));
  return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return checked(ordinal);
}

CUresult cuDeviceGetCount(int *count) {
  *count = 1;
  return checked(0);
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  cudaDeviceProp properties;
  const CUresult result = resultOf(cudaGetDeviceProperties(&properties, device));
  if (result != CUDA_SUCCESS || length <= 0) return result;
  std::strncpy(name, properties.name, static_cast<size_t>(length) - 1);
  name[length - 1] = '\0';
  return result;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice ordinal) {
  *bytes = device().memoryBytes;
  return checked(ordinal);
}

// The numbers of both APIs' attributes are the same.
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice ordinal) {
  return resultOf(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), ordinal));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice ordinal) {
  const CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ordinal);
  if (result != CUDA_SUCCESS) return result;
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, ordinal);
}

CUresult cuDeviceGetPCIBusId(char *text, int size, CUdevice ordinal) {
  return resultOf(cudaDeviceGetPCIBusId(text, size, ordinal));
}

CUresult cuDeviceCanAccessPeer(int *able, CUdevice ordinal, CUdevice peer) {
  return resultOf(cudaDeviceCanAccessPeer(able, ordinal, peer));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice ordinal) {
  *context = theContext();
  return checked(ordinal);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice ordinal) { return checked(ordinal); }
CUresult cuDevicePrimaryCtxSetFlags(CUdevice ordinal, unsigned) { return checked(ordinal); }

CUresult cuDevicePrimaryCtxReset(CUdevice ordinal) {
  const CUresult result = checked(ordinal);
  return result == CUDA_SUCCESS ? resultOf(cudaDeviceReset()) : result;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice ordinal, unsigned *flags, int *active) {
  *flags = 0;
  *active = 1;
  return checked(ordinal);
}

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *, unsigned, CUdevice ordinal) {
  const CUresult result = checked(ordinal);
  if (result != CUDA_SUCCESS) return result;
  *context = theContext();
  current.push_back(*context);
  return CUDA_SUCCESS;
}

// The form before CUDA 13.
CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice ordinal) {
  return cuCtxCreate_v4(context, nullptr, flags, ordinal);
}

CUresult cuCtxDestroy(CUcontext context) {
  if (context != theContext()) return CUDA_ERROR_INVALID_CONTEXT;
  if (!current.empty()) current.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
  current.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context) {
  if (current.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context != nullptr) *context = current.back();
  current.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  if (!current.empty()) current.pop_back();
  if (context != nullptr) current.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = presentContext();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *ordinal) {
  *ordinal = 0;
  return presentContext() == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext, unsigned *version) {
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned *flags) {
  *flags = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) { return resultOf(cudaDeviceSynchronize()); }

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return resultOf(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  return resultOf(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache) { return CUDA_SUCCESS; }

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return resultOf(cudaDeviceGetStreamPriorityRange(least, greatest));
}

CUresult cuCtxEnablePeerAccess(CUcontext, unsigned) { return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED; }
CUresult cuCtxDisablePeerAccess(CUcontext) { return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED; }
CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }

} // extern "C"

// The one device of a program: number, properties, attributes and limits.
#include <cstring>
#include <map>

#include "device/current-device.hpp"
#include "device/runtime.hpp"
#include "device/tensor-maps.hpp"

namespace kernelwright {
namespace {

int attribute(cudaDeviceAttr number) { return device().attribute(number); }

size_t bytes(cudaDeviceAttr number) { return static_cast<size_t>(attribute(number)); }

void describeBlocks(cudaDeviceProp &properties) {
  properties.maxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock);
  properties.maxThreadsDim[0] = attribute(cudaDevAttrMaxBlockDimX);
  properties.maxThreadsDim[1] = attribute(cudaDevAttrMaxBlockDimY);
  properties.maxThreadsDim[2] = attribute(cudaDevAttrMaxBlockDimZ);
  properties.maxGridSize[0] = attribute(cudaDevAttrMaxGridDimX);
  properties.maxGridSize[1] = attribute(cudaDevAttrMaxGridDimY);
  properties.maxGridSize[2] = attribute(cudaDevAttrMaxGridDimZ);
  properties.sharedMemPerBlock = bytes(cudaDevAttrMaxSharedMemoryPerBlock);
  properties.sharedMemPerBlockOptin = bytes(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  properties.reservedSharedMemPerBlock = bytes(cudaDevAttrReservedSharedMemoryPerBlock);
  properties.regsPerBlock = attribute(cudaDevAttrMaxRegistersPerBlock);
}

void describeMultiprocessors(cudaDeviceProp &properties) {
  properties.warpSize = attribute(cudaDevAttrWarpSize);
  properties.maxTexture1D = attribute(cudaDevAttrMaxTexture1DWidth);
  properties.maxTexture2D[0] = attribute(cudaDevAttrMaxTexture2DWidth);
  properties.maxTexture2D[1] = attribute(cudaDevAttrMaxTexture2DHeight);
  properties.maxTexture3D[0] = attribute(cudaDevAttrMaxTexture3DWidth);
  properties.maxTexture3D[1] = attribute(cudaDevAttrMaxTexture3DHeight);
  properties.maxTexture3D[2] = attribute(cudaDevAttrMaxTexture3DDepth);
  properties.maxTexture1DLayered[0] = attribute(cudaDevAttrMaxTexture1DLayeredWidth);
  properties.maxTexture1DLayered[1] = attribute(cudaDevAttrMaxTexture1DLayeredLayers);
  properties.maxTexture2DLayered[0] = attribute(cudaDevAttrMaxTexture2DLayeredWidth);
  properties.maxTexture2DLayered[1] = attribute(cudaDevAttrMaxTexture2DLayeredHeight);
  properties.maxTexture2DLayered[2] = attribute(cudaDevAttrMaxTexture2DLayeredLayers);
  properties.multiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
  properties.maxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  properties.maxBlocksPerMultiProcessor = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
  properties.sharedMemPerMultiprocessor = bytes(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  properties.regsPerMultiprocessor = attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
  properties.l2CacheSize = attribute(cudaDevAttrL2CacheSize);
  properties.memoryBusWidth = attribute(cudaDevAttrGlobalMemoryBusWidth);
}

void describeAbilities(cudaDeviceProp &properties) {
  properties.memPitch = bytes(cudaDevAttrMaxPitch);
  properties.totalConstMem = bytes(cudaDevAttrTotalConstantMemory);
  properties.textureAlignment = bytes(cudaDevAttrTextureAlignment);
  properties.texturePitchAlignment = bytes(cudaDevAttrTexturePitchAlignment);
  properties.canMapHostMemory = attribute(cudaDevAttrCanMapHostMemory);
  properties.concurrentKernels = attribute(cudaDevAttrConcurrentKernels);
  properties.asyncEngineCount = attribute(cudaDevAttrAsyncEngineCount);
  properties.unifiedAddressing = attribute(cudaDevAttrUnifiedAddressing);
  properties.globalL1CacheSupported = attribute(cudaDevAttrGlobalL1CacheSupported);
  properties.localL1CacheSupported = attribute(cudaDevAttrLocalL1CacheSupported);
  properties.managedMemory = attribute(cudaDevAttrManagedMemory);
  properties.cooperativeLaunch = attribute(cudaDevAttrCooperativeLaunch);
  properties.hostRegisterSupported = attribute(cudaDevAttrHostRegisterSupported);
  properties.memoryPoolsSupported = attribute(cudaDevAttrMemoryPoolsSupported);
}

std::map<int, size_t> &limits() {
  static std::map<int, size_t> all = {{cudaLimitStackSize, 1024},
                                      {cudaLimitPrintfFifoSize, 1 << 20},
                                      {cudaLimitMallocHeapSize, 8 << 20},
                                      {cudaLimitDevRuntimeSyncDepth, 2},
                                      {cudaLimitDevRuntimePendingLaunchCount, 2048},
                                      {cudaLimitPersistingL2CacheSize, 0}};
  return all;
}

unsigned deviceFlags = 0;

/** No device of the machine has it. */
constexpr const char *kBusId = "0000:00:00.0";

/** Tells the user of a device that a program wants and that there is not. */
cudaError_t absent(const char *function, int number) {
  tell(std::string(function) + ": there is no device " + std::to_string(number) +
       ": one GPU is modelled, which is device 0: the program gets cudaErrorInvalidDevice");
  return settle(cudaErrorInvalidDevice);
}

} // namespace
} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaGetDeviceCount(int *count) {
  *count = deviceCount();
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *number) {
  *number = currentDevice();
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int number) {
  if (number < 0 || number >= deviceCount()) return absent(__func__, number);
  setCurrentDevice(number);
  usePrimaryContext();
  return cudaSuccess;
}

cudaError_t cudaInitDevice(int number, unsigned, unsigned) { return cudaSetDevice(number); }

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  deviceFlags = flags;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  *flags = deviceFlags;
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *number, const cudaDeviceProp *) { return cudaGetDevice(number); }

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr number, int ordinal) {
  if (ordinal < 0 || ordinal >= deviceCount()) return settle(cudaErrorInvalidDevice);
  *value = attribute(number);
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int ordinal) {
  if (ordinal < 0 || ordinal >= deviceCount()) return settle(cudaErrorInvalidDevice);
  std::memset(properties, 0, sizeof *properties);
  std::strncpy(properties->name, (device().name + " (Kernelwright virtual GPU)").c_str(),
               sizeof properties->name - 1);
  properties->totalGlobalMem = device().memoryBytes;
  properties->major = attribute(cudaDevAttrComputeCapabilityMajor);
  properties->minor = attribute(cudaDevAttrComputeCapabilityMinor);
  describeBlocks(*properties);
  describeMultiprocessors(*properties);
  describeAbilities(*properties);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int ordinal) {
  if (ordinal < 0 || ordinal >= deviceCount()) return settle(cudaErrorInvalidDevice);
  if (text == nullptr || size <= static_cast<int>(std::strlen(kBusId))) return settle(cudaErrorInvalidValue);
  std::strcpy(text, kBusId);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *number, const char *text) {
  if (number == nullptr || text == nullptr) return settle(cudaErrorInvalidValue);
  if (std::strcmp(text, kBusId) != 0) return settle(cudaErrorInvalidDevice);
  return cudaGetDevice(number);
}

cudaError_t cudaSetValidDevices(int *numbers, int count) {
  for (int index = 0; index < count; ++index) {
    if (numbers[index] < 0 || numbers[index] >= deviceCount()) return settle(cudaErrorInvalidDevice);
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *able, int number, int peer) {
  if (able == nullptr) return settle(cudaErrorInvalidValue);
  for (const int each : {number, peer})
    if (each < 0 || each >= deviceCount()) return settle(cudaErrorInvalidDevice);
  *able = 0;
  return cudaSuccess;
}

// There is no second device that could be a peer.
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return settle(cudaErrorInvalidDevice); }

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return settle(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetP2PAttribute(int *, cudaDeviceP2PAttr, int, int) {
  return settle(cudaErrorInvalidDevice);
}

/* What is said of a limit that is not kept here: whether there is one of that number. */
static cudaError_t unknownLimit(cudaLimit limit) {
  const bool isOne = limit >= 0 && limit <= cudaLimitPersistingL2CacheSize;
  return settle(isOne ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  if (value == nullptr) return settle(cudaErrorInvalidValue);
  const auto found = limits().find(limit);
  if (found == limits().end()) return unknownLimit(limit);
  *value = found->second;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  // How much of a line the second-level cache fetches is a hint, which changes no result.
  if (limits().count(limit) == 0 && limit != cudaLimitMaxL2FetchGranularity) return unknownLimit(limit);
  const cudaError_t error = settle(exchange(protocol::limitRequest(limit, value)));
  if (error == cudaSuccess) limits()[limit] = value;
  return error;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *configuration) {
  *configuration = cudaFuncCachePreferNone;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *configuration) {
  *configuration = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaFuncSetSharedMemConfig(const void *, cudaSharedMemConfig) { return cudaSuccess; }

// A profiler that is switched from the program: `--profile` always looks at everything.
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }

cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

cudaError_t cudaDriverGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned,
                                             unsigned long long, cudaDriverEntryPointQueryResult *result) {
  if (symbol == nullptr || function == nullptr) return settle(cudaErrorInvalidValue);
  // What the runtime has no call of its own for.
  if (std::strcmp(symbol, "cuTensorMapEncodeTiled") == 0) {
    *function = reinterpret_cast<void *>(&cuTensorMapEncodeTiled);
    if (result != nullptr) *result = cudaDriverEntryPointSuccess;
    return cudaSuccess;
  }
  tell(std::string("the virtual GPU has no driver API: the program asks for ") + symbol +
       " and gets no such function");
  *function = nullptr;
  if (result == nullptr) return settle(cudaErrorSymbolNotFound);
  *result = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *result) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, result);
}

PER_THREAD(cudaGetDriverEntryPointByVersion, _ptsz)

cudaError_t cudaGetDriverEntryPoint_ptsz(const char *symbol, void **function, unsigned long long flags,
                                         cudaDriverEntryPointQueryResult *result) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, result);
}

} // extern "C"

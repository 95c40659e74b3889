// Allocation of device memory.
#include <cstring>

#include "graphs/capture.hpp"
#include "graphs/graph-memory.hpp"
#include "graphs/waiting-work.hpp"
#include "device/current-device.hpp"
#include "device/runtime.hpp"
#include "device/allocations.hpp"
#include "memory/shared-memory.hpp"

namespace kernelwright {
namespace {

/** Rows of pitched memory begin at multiples of this. */
constexpr size_t kPitch = 512;

} // namespace

cudaError_t allocate(void **pointer, size_t bytes, const char *name) {
  if (pointer == nullptr) return settle(cudaErrorInvalidValue);
  usePrimaryContext();
  device();
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  protocol::AllocateReply reply;
  const int status = askForMemory(bytes, name, reply);
  if (status == 0) *pointer = reinterpret_cast<void *>(reply.address);
  return settle(status);
}

cudaError_t release(void *pointer) {
  usePrimaryContext();
  device();
  if (pointer == nullptr) return cudaSuccess;
  const std::optional<SharedRange> range = sharedAt(pointer);
  if (range && range->kind == SharedKind::managed) return freeManaged(pointer);
  // Memory of the host's goes with cudaFreeHost.
  if (range) return settle(cudaErrorInvalidValue);
  const cudaError_t error = synchronize();
  return error == cudaSuccess ? settle(exchange(protocol::freeRequest(addressOf(pointer), callers())))
                              : error;
}

namespace {

/** A memory pool: there is nothing to keep in it, so that only what the program says of it is remembered. */
struct Pool {
  uint64_t releaseThreshold = 0;
  int followEventDependencies = 1;
  int allowOpportunistic = 1;
  int allowInternalDependencies = 1;
};

Pool &pool() {
  static Pool only;
  return only;
}

/** The pool that cudaMallocAsync takes memory from. */
cudaMemPool_t current = nullptr;

cudaMemPool_t standard() { return reinterpret_cast<cudaMemPool_t>(&pool()); }

int *switchOf(cudaMemPool_t memoryPool, cudaMemPoolAttr attribute) {
  Pool *asked = reinterpret_cast<Pool *>(memoryPool);
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
    return &asked->followEventDependencies;
  case cudaMemPoolReuseAllowOpportunistic:
    return &asked->allowOpportunistic;
  case cudaMemPoolReuseAllowInternalDependencies:
    return &asked->allowInternalDependencies;
  default:
    return nullptr;
  }
}

bool isDevice(const cudaMemLocation *location) {
  return location != nullptr && location->type == cudaMemLocationTypeDevice && location->id == 0;
}

} // namespace
} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  const cudaError_t refused = allowsUnsafe();
  return refused == cudaSuccess ? allocate(pointer, bytes, "allocation") : refused;
}

cudaError_t cudaFree(void *pointer) { return isOfGraph(pointer) ? freeOfGraph(pointer) : release(pointer); }

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (pitch == nullptr) return settle(cudaErrorInvalidValue);
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  size_t bytes = 0;
  if (*pitch < width || __builtin_mul_overflow(*pitch, height, &bytes)) return settle(cudaErrorInvalidValue);
  const cudaError_t refused = allowsUnsafe();
  return refused == cudaSuccess ? allocate(pointer, bytes, "pitched allocation") : refused;
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pitched, cudaExtent extent) {
  if (pitched == nullptr) return settle(cudaErrorInvalidValue);
  size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return settle(cudaErrorMemoryAllocation);
  const cudaError_t error = cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width, rows);
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return error;
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  if (!isCapturing(stream)) return allocate(pointer, bytes, "pooled allocation");
  if (pointer == nullptr) return settle(cudaErrorInvalidValue);
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.location = {cudaMemLocationTypeDevice, 0};
  parameters.bytesize = bytes;
  Task task;
  const cudaError_t error = makeTask(task, &parameters);
  if (error != cudaSuccess) return error;
  *pointer = std::get<AllocateTask>(task).memory->parameters.dptr;
  return *captured(stream, task);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t, cudaStream_t stream) {
  return cudaMallocAsync(pointer, bytes, stream);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  if (isCapturing(stream)) {
    Task task;
    const cudaError_t error = makeFreeTask(task, pointer);
    return error == cudaSuccess ? *captured(stream, task) : error;
  }
  const AtOnce now(stream);
  return cudaFree(pointer);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  device();
  protocol::MemoryReply reply;
  const int status = ask(protocol::memoryRequest(), reply);
  if (status != 0) return settle(status);
  *free = reply.free;
  *total = reply.total;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memoryPool, int number) {
  if (memoryPool == nullptr) return settle(cudaErrorInvalidValue);
  if (number < 0 || number >= deviceCount()) return settle(cudaErrorInvalidDevice);
  *memoryPool = standard();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memoryPool, int number) {
  const cudaError_t error = cudaDeviceGetDefaultMemPool(memoryPool, number);
  if (error == cudaSuccess && current != nullptr) *memoryPool = current;
  return error;
}

cudaError_t cudaDeviceSetMemPool(int number, cudaMemPool_t memoryPool) {
  if (number < 0 || number >= deviceCount()) return settle(cudaErrorInvalidDevice);
  if (memoryPool == nullptr) return settle(cudaErrorInvalidValue);
  current = memoryPool;
  return cudaSuccess;
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memoryPool, cudaMemLocation *location,
                                     cudaMemAllocationType) {
  return isDevice(location) ? cudaDeviceGetDefaultMemPool(memoryPool, 0)
                            : lacking("memory pools of the host");
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *memoryPool, cudaMemLocation *location, cudaMemAllocationType) {
  return isDevice(location) ? cudaDeviceGetMemPool(memoryPool, 0) : lacking("memory pools of the host");
}

cudaError_t cudaMemSetMemPool(cudaMemLocation *location, cudaMemAllocationType, cudaMemPool_t memoryPool) {
  return isDevice(location) ? cudaDeviceSetMemPool(0, memoryPool) : lacking("memory pools of the host");
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memoryPool, const cudaMemAccessDesc *descriptions,
                                 size_t count) {
  if (memoryPool == nullptr || (descriptions == nullptr && count > 0)) return settle(cudaErrorInvalidValue);
  for (size_t index = 0; index < count; ++index) {
    if (!isDevice(&descriptions[index].location)) return settle(cudaErrorInvalidDevice);
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t memoryPool,
                                 cudaMemLocation *location) {
  if (flags == nullptr || memoryPool == nullptr || !isDevice(location)) return settle(cudaErrorInvalidValue);
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memoryPool, const cudaMemPoolProps *) {
  *memoryPool = reinterpret_cast<cudaMemPool_t>(new Pool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memoryPool) {
  if (memoryPool == nullptr || memoryPool == standard()) return settle(cudaErrorInvalidValue);
  if (current == memoryPool) current = nullptr;
  delete reinterpret_cast<Pool *>(memoryPool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memoryPool, cudaMemPoolAttr attribute, void *value) {
  if (memoryPool == nullptr || value == nullptr) return settle(cudaErrorInvalidValue);
  int *on = switchOf(memoryPool, attribute);
  if (on != nullptr)
    std::memcpy(on, value, sizeof *on);
  else if (attribute == cudaMemPoolAttrReleaseThreshold)
    std::memcpy(&reinterpret_cast<Pool *>(memoryPool)->releaseThreshold, value, sizeof(uint64_t));
  // Highest figures may only be set back to 0.
  else if (attribute != cudaMemPoolAttrReservedMemHigh && attribute != cudaMemPoolAttrUsedMemHigh)
    return settle(cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memoryPool, cudaMemPoolAttr attribute, void *value) {
  if (memoryPool == nullptr || value == nullptr) return settle(cudaErrorInvalidValue);
  const int *on = switchOf(memoryPool, attribute);
  if (on == nullptr && attribute != cudaMemPoolAttrReleaseThreshold)
    return lacking("figures of what a memory pool holds");
  if (on != nullptr)
    std::memcpy(value, on, sizeof *on);
  else
    std::memcpy(value, &reinterpret_cast<Pool *>(memoryPool)->releaseThreshold, sizeof(uint64_t));
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  *attributes = {};
  attributes->device = callersDevice();
  const std::optional<SharedRange> range = sharedAt(pointer);
  if (range) {
    const uint64_t offset = static_cast<uint64_t>(static_cast<const char *>(pointer) - range->host);
    attributes->type = range->kind == SharedKind::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
    if (range->kind == SharedKind::owned) attributes->type = cudaMemoryTypeDevice;
    attributes->hostPointer = const_cast<void *>(pointer);
    attributes->devicePointer = reinterpret_cast<void *>(range->device + offset);
  } else if (device().owns(pointer)) {
    attributes->type = cudaMemoryTypeDevice;
    attributes->devicePointer = const_cast<void *>(pointer);
  } else {
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -2;
    attributes->hostPointer = const_cast<void *>(pointer);
  }
  return cudaSuccess;
}

// Graphs hold the memory of their nodes alone.
cudaError_t cudaDeviceGraphMemTrim(int) { return cudaSuccess; }

cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType figure, void *value) {
  if (value == nullptr) return settle(cudaErrorInvalidValue);
  const uint64_t bytes = graphMemoryFigure(figure);
  std::memcpy(value, &bytes, sizeof bytes);
  return cudaSuccess;
}

cudaError_t cudaDeviceSetGraphMemAttribute(int, cudaGraphMemAttributeType, void *) {
  forgetHighest();
  return cudaSuccess;
}

PER_THREAD(cudaMallocAsync, _ptsz)
PER_THREAD(cudaMallocFromPoolAsync, _ptsz)
PER_THREAD(cudaFreeAsync, _ptsz)

} // extern "C"

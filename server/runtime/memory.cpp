// Allocation of device memory.
#include <cstring>

#include "capture.hpp"
#include "runtime.hpp"
#include "shared_memory.hpp"

namespace kernelwright {
namespace {

/** Rows of pitched memory begin at multiples of this. */
constexpr size_t kPitch = 512;

cudaError_t allocate(void **pointer, size_t bytes, const char *name) {
  if (pointer == nullptr) return settle(cudaErrorInvalidValue);
  device();
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  Reply reply = exchange(kAllocate, Request().wide(bytes).text(name).text(callers()));
  if (reply.status == 0) *pointer = reinterpret_cast<void *>(reply.wide());
  return settle(reply);
}

cudaError_t release(void *pointer) {
  device();
  if (pointer == nullptr) return cudaSuccess;
  const SharedRange *range = sharedAt(pointer);
  if (range != nullptr && range->kind == SharedKind::managed) return freeManaged(pointer);
  const cudaError_t error = synchronize();
  return error == cudaSuccess ? settle(exchange(kFree, Request().address(pointer).text(callers()))) : error;
}

/** The one memory pool: there is nothing to keep in it. */
struct Pool {
  uint64_t releaseThreshold = 0;
};

Pool &pool() {
  static Pool only;
  return only;
}

} // namespace
} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaMalloc(void **pointer, size_t bytes) { return allocate(pointer, bytes, "allocation"); }

cudaError_t cudaFree(void *pointer) { return release(pointer); }

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (pitch == nullptr) return settle(cudaErrorInvalidValue);
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  return allocate(pointer, *pitch * height, "pitched allocation");
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pitched, cudaExtent extent) {
  if (pitched == nullptr) return settle(cudaErrorInvalidValue);
  const cudaError_t error = cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width, extent.height * extent.depth);
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return error;
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  return isCapturing(stream) ? lacking() : allocate(pointer, bytes, "allocation");
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t, cudaStream_t) { return allocate(pointer, bytes, "allocation"); }

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) { return isCapturing(stream) ? lacking() : release(pointer); }

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  device();
  Reply reply = exchange(kMemory, Request());
  if (reply.status != 0) return settle(reply);
  *free = reply.wide();
  *total = reply.wide();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memoryPool, int) {
  *memoryPool = reinterpret_cast<cudaMemPool_t>(&pool());
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memoryPool, int number) { return cudaDeviceGetDefaultMemPool(memoryPool, number); }

cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) { return cudaSuccess; }

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memoryPool, const cudaMemPoolProps *) {
  *memoryPool = reinterpret_cast<cudaMemPool_t>(new Pool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memoryPool) {
  Pool *old = reinterpret_cast<Pool *>(memoryPool);
  if (old == &pool()) return settle(cudaErrorInvalidValue);
  delete old;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memoryPool, cudaMemPoolAttr attribute, void *value) {
  if (attribute == cudaMemPoolAttrReleaseThreshold) std::memcpy(&reinterpret_cast<Pool *>(memoryPool)->releaseThreshold, value, sizeof(uint64_t));
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memoryPool, cudaMemPoolAttr attribute, void *value) {
  if (attribute != cudaMemPoolAttrReleaseThreshold) return lacking();
  std::memcpy(value, &reinterpret_cast<Pool *>(memoryPool)->releaseThreshold, sizeof(uint64_t));
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  *attributes = {};
  attributes->device = 0;
  const SharedRange *range = sharedAt(pointer);
  if (range != nullptr) {
    const uint64_t offset = static_cast<uint64_t>(static_cast<const char *>(pointer) - range->host);
    attributes->type = range->kind == SharedKind::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
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

} // extern "C"

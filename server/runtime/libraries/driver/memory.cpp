// Memory in the driver API.
#include "libraries/driver/driver.hpp"
#include "memory/transfers.hpp"

namespace kernelwright::driver {
namespace {

/** Where one side of a copy of a rectangle begins. */
char *startOf(CUmemorytype kind, const void *host, CUdeviceptr device) {
  return static_cast<char *>(kind == CU_MEMORYTYPE_HOST ? const_cast<void *>(host) : pointer(device));
}

CUresult copyRectangle(const CUDA_MEMCPY2D *what) {
  if (what->dstMemoryType == CU_MEMORYTYPE_ARRAY || what->srcMemoryType == CU_MEMORYTYPE_ARRAY)
    return copyArrays(*what);
  Rows to = {};
  Rows from = {};
  to.start = startOf(what->dstMemoryType, what->dstHost, what->dstDevice);
  from.start = startOf(what->srcMemoryType, what->srcHost, what->srcDevice);
  // Without a pitch the rows follow each other.
  to.pitch = what->dstPitch == 0 ? what->WidthInBytes : what->dstPitch;
  from.pitch = what->srcPitch == 0 ? what->WidthInBytes : what->srcPitch;
  to.start += what->dstY * to.pitch + what->dstXInBytes;
  from.start += what->srcY * from.pitch + what->srcXInBytes;
  return resultOf(copy(to, from, {what->WidthInBytes, what->Height}, cudaMemcpyDefault));
}

CUresult set(CUdeviceptr address, uint32_t value, unsigned unit, size_t count) {
  return resultOf(
      fill({static_cast<char *>(pointer(address)), count * unit}, value, unit, {count * unit, 1}));
}

} // namespace
} // namespace kernelwright::driver

using namespace kernelwright;
using namespace kernelwright::driver;

extern "C" {

CUresult cuMemGetInfo(size_t *free, size_t *total) { return resultOf(cudaMemGetInfo(free, total)); }

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes) {
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return resultOf(cudaMalloc(reinterpret_cast<void **>(address), bytes));
}

CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned) {
  return resultOf(cudaMallocPitch(reinterpret_cast<void **>(address), pitch, width, height));
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  return resultOf(cudaMallocManaged(reinterpret_cast<void **>(address), bytes, flags));
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
  return resultOf(cudaMallocAsync(reinterpret_cast<void **>(address), bytes, stream));
}

CUresult cuMemFree(CUdeviceptr address) { return resultOf(cudaFree(pointer(address))); }

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return resultOf(cudaFreeAsync(pointer(address), stream));
}

CUresult cuMemAllocHost(void **address, size_t bytes) { return resultOf(cudaMallocHost(address, bytes)); }
CUresult cuMemFreeHost(void *address) { return resultOf(cudaFreeHost(address)); }

CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  return resultOf(cudaHostAlloc(address, bytes, flags));
}

CUresult cuMemHostRegister(void *address, size_t bytes, unsigned flags) {
  return resultOf(cudaHostRegister(address, bytes, flags));
}

CUresult cuMemHostUnregister(void *address) { return resultOf(cudaHostUnregister(address)); }

CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *host, unsigned flags) {
  return resultOf(cudaHostGetDevicePointer(reinterpret_cast<void **>(address), host, flags));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return resultOf(cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  return resultOf(cudaMemcpy(pointer(to), from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  return resultOf(cudaMemcpy(to, pointer(from), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return resultOf(cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return resultOf(cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  return resultOf(cudaMemcpyAsync(pointer(to), from, bytes, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return resultOf(cudaMemcpyAsync(to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return resultOf(cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *what) { return copyRectangle(what); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *what) { return copyRectangle(what); }

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) { return set(to, value, 1, count); }
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) { return set(to, value, 2, count); }
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) { return set(to, value, 4, count); }

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return resultOf(cudaMemsetAsync(pointer(to), value, count, stream));
}

} // extern "C"

// Reserved ranges of addresses and the memory that is mapped into them. A range has its memory from the
// start; what a handle holds moves with it when it is mapped elsewhere.
#include <map>
#include <mutex>
#include <string>

#include "libraries/driver/driver.hpp"

namespace kernelwright::driver {
namespace {

/** In these steps memory is made and mapped. */
constexpr size_t granularity = size_t{2} << 20;

/** Memory that a program made, and where it is mapped. */
struct Piece {
  size_t bytes = 0;
  CUmemAllocationProp properties = {};
  /** Zero while it is mapped nowhere. */
  CUdeviceptr mapped = 0;
  /** What it held when it was mapped last; null if it never was. */
  void *kept = nullptr;
  /** Its handles that are not released. */
  unsigned handles = 1;
};

std::mutex rangeGuard;
std::map<CUdeviceptr, size_t> reservedRanges;
std::map<CUmemGenericAllocationHandle, Piece> pieces;
CUmemGenericAllocationHandle lastHandle = 0;

bool isWithin(CUdeviceptr address, size_t bytes) {
  auto next = reservedRanges.upper_bound(address);
  if (next == reservedRanges.begin()) return false;
  const auto &[start, length] = *--next;
  return address - start <= length && bytes <= length - (address - start);
}

bool isEven(size_t bytes) { return bytes != 0 && bytes % granularity == 0; }

/** Memory without handles and mappings is gone. */
void dropUnused(CUmemGenericAllocationHandle handle) {
  const Piece &memory = pieces[handle];
  if (memory.handles > 0 || memory.mapped != 0) return;
  if (memory.kept != nullptr) cudaFree(memory.kept);
  pieces.erase(handle);
}

CUresult map(CUdeviceptr address, size_t bytes, Piece &memory) {
  if (memory.mapped != 0) {
    tell(
        "the virtual GPU maps memory to one range at a time: cuMemMap of memory that is mapped already gives "
        "CUDA_ERROR_NOT_SUPPORTED");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  if (memory.kept != nullptr) {
    const cudaError_t moved = cudaMemcpy(pointer(address), memory.kept, bytes, cudaMemcpyDeviceToDevice);
    if (moved != cudaSuccess) return resultOf(moved);
    cudaFree(memory.kept);
    memory.kept = nullptr;
  }
  memory.mapped = address;
  return CUDA_SUCCESS;
}

/** What memory with a handle holds is kept for its next mapping. */
CUresult unmap(Piece &memory) {
  if (memory.handles > 0) {
    cudaError_t kept = cudaMalloc(&memory.kept, memory.bytes);
    if (kept == cudaSuccess)
      kept = cudaMemcpy(memory.kept, pointer(memory.mapped), memory.bytes, cudaMemcpyDeviceToDevice);
    if (kept != cudaSuccess) return resultOf(kept);
  }
  memory.mapped = 0;
  return CUDA_SUCCESS;
}

} // namespace
} // namespace kernelwright::driver

using namespace kernelwright;
using namespace kernelwright::driver;

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t *step, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags) {
  if (step == nullptr || properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *step = granularity;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t, CUdeviceptr,
                             unsigned long long flags) {
  if (address == nullptr || !isEven(bytes) || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t result = cudaMalloc(reinterpret_cast<void **>(address), bytes);
  if (result != cudaSuccess) {
    tell("the virtual GPU gives a reserved range its memory at once: a range of " + std::to_string(bytes) +
         " bytes is more than it has");
    return resultOf(result);
  }
  const std::lock_guard lock(rangeGuard);
  reservedRanges[*address] = bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  const std::lock_guard lock(rangeGuard);
  const auto range = reservedRanges.find(address);
  if (range == reservedRanges.end() || range->second != bytes) return CUDA_ERROR_INVALID_VALUE;
  for (const auto &[handle, memory] : pieces)
    if (memory.mapped >= address && memory.mapped < address + bytes) return CUDA_ERROR_INVALID_VALUE;
  reservedRanges.erase(range);
  return resultOf(cudaFree(pointer(address)));
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
                     const CUmemAllocationProp *properties, unsigned long long flags) {
  if (handle == nullptr || properties == nullptr || !isEven(bytes) || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  const CUmemLocation place = properties->location;
  if (place.type != CU_MEM_LOCATION_TYPE_DEVICE || properties->requestedHandleTypes != 0) {
    tell("the virtual GPU's cuMemCreate makes memory of the device for one process: the program gets "
         "CUDA_ERROR_NOT_SUPPORTED");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  if (place.id != 0) return CUDA_ERROR_INVALID_DEVICE;
  const std::lock_guard lock(rangeGuard);
  Piece memory;
  memory.bytes = bytes;
  memory.properties = *properties;
  // There is no compression to be had.
  memory.properties.allocFlags.compressionType = 0;
  pieces[ *handle = ++lastHandle] = memory;
  return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  const std::lock_guard lock(rangeGuard);
  const auto found = pieces.find(handle);
  if (found == pieces.end() || found->second.handles == 0) return CUDA_ERROR_INVALID_VALUE;
  --found->second.handles;
  dropUnused(handle);
  return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  const std::lock_guard lock(rangeGuard);
  const auto found = pieces.find(handle);
  if (found == pieces.end() || flags != 0 || offset != 0 || !isWithin(address, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  if (bytes != found->second.bytes) return CUDA_ERROR_INVALID_VALUE;
  return map(address, bytes, found->second);
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  const std::lock_guard lock(rangeGuard);
  if (!isWithin(address, bytes)) return CUDA_ERROR_INVALID_VALUE;
  for (auto next = pieces.begin(); next != pieces.end();) {
    const auto present = next++;
    const CUdeviceptr place = present->second.mapped;
    if (place < address || place >= address + bytes) continue;
    const CUresult result = unmap(present->second);
    if (result != CUDA_SUCCESS) return result;
    dropUnused(present->first);
  }
  return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t count) {
  const std::lock_guard lock(rangeGuard);
  return access != nullptr && count > 0 && isWithin(address, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *place, CUdeviceptr address) {
  const std::lock_guard lock(rangeGuard);
  if (flags == nullptr || place == nullptr || !isWithin(address, 1)) return CUDA_ERROR_INVALID_VALUE;
  *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                CUmemGenericAllocationHandle handle) {
  const std::lock_guard lock(rangeGuard);
  const auto found = pieces.find(handle);
  if (properties == nullptr || found == pieces.end()) return CUDA_ERROR_INVALID_VALUE;
  *properties = found->second.properties;
  return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
  const std::lock_guard lock(rangeGuard);
  const auto place = reinterpret_cast<CUdeviceptr>(address);
  for (auto &[own, memory] : pieces)
    if (memory.mapped != 0 && place >= memory.mapped && place < memory.mapped + memory.bytes) {
      ++memory.handles;
      *handle = own;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

} // extern "C"

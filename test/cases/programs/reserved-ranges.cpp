// Reserves ranges of addresses and maps memory into them, as growing arrays do.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

void say(const char *what, CUresult result) { printf("%s: %d\n", what, result); }

int lastByte(CUdeviceptr address, size_t bytes) {
  unsigned char byte = 0;
  cudaMemcpy(&byte, reinterpret_cast<void *>(address + bytes - 1), 1, cudaMemcpyDeviceToHost);
  return byte;
}

int main() {
  cudaFree(nullptr);
  int supported = 0;
  cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0);
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  size_t step = 0;
  cuMemGetAllocationGranularity(&step, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  printf("supported %d, steps of %zu\n", supported, step);

  CUdeviceptr small = 0;
  CUdeviceptr large = 0;
  say("reserve", cuMemAddressReserve(&small, step, 0, 0, 0));
  say("reserve more", cuMemAddressReserve(&large, 2 * step, 0, 0, 0));
  say("reserve part of a step", cuMemAddressReserve(&large, 100, 0, 0, 0));
  CUmemGenericAllocationHandle first = 0;
  CUmemGenericAllocationHandle second = 0;
  say("create", cuMemCreate(&first, step, &properties, 0));
  say("create another", cuMemCreate(&second, step, &properties, 0));

  const CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  say("map", cuMemMap(small, step, 0, first, 0));
  say("allow", cuMemSetAccess(small, step, &access, 1));
  cudaMemset(reinterpret_cast<void *>(small), 7, step);
  say("map twice", cuMemMap(large, step, 0, first, 0));

  // What was written stays when the memory moves.
  say("unmap", cuMemUnmap(small, step));
  say("map elsewhere", cuMemMap(large, step, 0, first, 0));
  say("map behind it", cuMemMap(large + step, step, 0, second, 0));
  say("allow both", cuMemSetAccess(large, 2 * step, &access, 1));
  cudaMemset(reinterpret_cast<void *>(large + step), 9, step);
  printf("last bytes %d %d\n", lastByte(large, step), lastByte(large, 2 * step));

  say("free while mapped", cuMemAddressFree(large, 2 * step));
  say("release", cuMemRelease(first));
  say("release another", cuMemRelease(second));
  say("release again", cuMemRelease(second));
  say("unmap both", cuMemUnmap(large, 2 * step));
  say("free", cuMemAddressFree(large, 2 * step));
  say("free the other", cuMemAddressFree(small, step));
  return 0;
}

// What programs ask of the device and set before they start.
#include <cstdio>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

__device__ __noinline__ int depth(int *calls, int left) {
  int kept[32];
  for (int index = 0; index < 32; ++index) kept[index] = left + index;
  if (left > 0) atomicAdd(calls, depth(calls, left - 1) > 0);
  return kept[left & 31];
}

__global__ void recurse(int *calls, int levels) { *calls = depth(calls, levels) > 0; }

__global__ void allocate(int *worked) {
  char *block = static_cast<char *>(malloc(24 << 20));
  *worked = block != nullptr;
  if (block != nullptr) block[(24 << 20) - 1] = 1;
  free(block);
}

int main() {
  nvtxRangePushA("properties");
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int kilohertz = 0;
  cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0);
  std::printf("%d bytes of second-level cache, a bus of %d bits at %d kHz\n", properties.l2CacheSize, properties.memoryBusWidth, kilohertz);
  nvtxRangePop();

  size_t stack = 0, heap = 0;
  cudaDeviceGetLimit(&stack, cudaLimitStackSize);
  cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize);
  std::printf("stack %zu, heap %zu\n", stack, heap);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitStackSize, size_t{1} << 30)));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitStackSize, 128 << 10)));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20)));
  cudaDeviceGetLimit(&stack, cudaLimitStackSize);
  cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize);
  std::printf("stack %zu, heap %zu\n", stack, heap);

  std::printf("%s %s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20)), cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128)));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 4096)));

  int *number;
  cudaMallocManaged(&number, sizeof(int));
  // 400 frames of more than 128 bytes need the larger stack, and 24 MiB the larger heap.
  recurse<<<1, 1>>>(number, 400);
  std::printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf(" %d\n", *number);
  allocate<<<1, 1>>>(number);
  std::printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf(" %d\n", *number);

  cudaMemLocation location = {cudaMemLocationTypeDevice, 0};
  std::printf("%s %s\n", cudaGetErrorName(cudaMemAdvise(number, sizeof(int), cudaMemAdviseSetReadMostly, location)), cudaGetErrorName(cudaMemPrefetchAsync(number, sizeof(int), location, 0, nullptr)));
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, number);
  std::printf("memory of kind %d on device %d\n", attributes.type, attributes.device);
  int able = 1;
  std::printf("%s %d\n", cudaGetErrorName(cudaDeviceCanAccessPeer(&able, 0, 0)), able);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceCanAccessPeer(&able, 0, 1)));
  char bus[32];
  int device = 1;
  cudaDeviceGetPCIBusId(bus, sizeof bus, 0);
  std::printf("%s %d\n", cudaGetErrorName(cudaDeviceGetByPCIBusId(&device, bus)), device);

  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  unsigned long long threshold = 1 << 20;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  threshold = 0;
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  int reuse = 0;
  cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse);
  std::printf("a pool that keeps %llu bytes and reuses: %d\n", threshold, reuse);
  int *other;
  cudaMallocAsync(&other, sizeof(int), nullptr);
  cudaMemcpyPeer(other, 0, number, 0, sizeof(int));
  int copied = 0;
  cudaMemcpy(&copied, other, sizeof(int), cudaMemcpyDefault);
  std::printf("%d %s\n", copied, cudaGetErrorName(cudaMemcpyPeer(other, 1, number, 0, sizeof(int))));
  cudaFreeAsync(other, nullptr);
  return 0;
}

// What a program can ask about the device and its kernels.
#include <cstdio>

__global__ void __launch_bounds__(128) bounded(float *data) { data[threadIdx.x] = 1; }

__global__ void tiled(float *data) {
  __shared__ float tile[8192];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int count = 0, current = -1, processors = 0, most = 0;
  cudaGetDeviceCount(&count);
  cudaGetDevice(&current);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::printf("%d device, current %d, %s, %d.%d, %d multiprocessors, warps of %d\n", count, current, properties.name, properties.major, properties.minor, properties.multiProcessorCount, properties.warpSize);
  std::printf("equal: %d %d, most shared memory %d\n", processors == properties.multiProcessorCount, most == static_cast<int>(properties.sharedMemPerBlockOptin), most);
  std::printf("no such device: %s\n", cudaGetErrorName(cudaSetDevice(1)));

  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, tiled);
  std::printf("tiled: %zu bytes of shared memory, at most %d threads, registers: %d\n", attributes.sharedSizeBytes, attributes.maxThreadsPerBlock, attributes.numRegs > 0);
  cudaFuncGetAttributes(&attributes, bounded);
  std::printf("bounded: at most %d threads\n", attributes.maxThreadsPerBlock);

  int blocks = 0, least = 0, size = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tiled, 256, 0);
  std::printf("tiled: %d blocks of 256 threads", blocks);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, 0);
  std::printf(", bounded: %d of 128\n", blocks);
  cudaOccupancyMaxPotentialBlockSize(&least, &size, bounded, 0, 0);
  std::printf("best block for bounded: %d threads, %d blocks fill the device\n", size, least);
  size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  std::printf("memory: %d\n", free <= total && total > 0);
  return 0;
}

// Host code alone, which asks the runtime for its device.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  int count = 0;
  cudaDeviceProp properties;
  if (cudaGetDeviceCount(&count) != cudaSuccess || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  std::printf("%d device: %s, compute capability %d.%d\n", count, properties.name, properties.major, properties.minor);
}

// Host code alone, which asks the runtime for its device, and a header of its own for a special function.
#include <cuda_runtime.h>

#include <cstdio>
#include "headers/level.h"

int main() {
  int count = 0;
  cudaDeviceProp properties;
  if (cudaGetDeviceCount(&count) != cudaSuccess || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  std::printf("%d device: %s, compute capability %d.%d\n", count, properties.name, properties.major, properties.minor);
  std::printf("level %g\n", level(0.5));
}

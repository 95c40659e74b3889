#include <cstdio>

namespace queue {
// A step of 2 goes past the value that ends the loop.
__global__ void spin(int *progress, int step) {
  int value = 0;
  while (value != 1) {
    value += step;
    progress[threadIdx.x] = value;
  }
}
}

int main() {
  int *progress;
  cudaMalloc(&progress, 32 * sizeof(int));
  queue::spin<<<1, 32>>>(progress, 2);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return cudaDeviceReset() == cudaSuccess ? 3 : 4;
}

// task: entry-sum
// does: CUB's reduction of the whole device, which asks for its scratch memory first

#include <cub/device/device_reduce.cuh>

__global__ void partial(const float* x, float* total, int n) {
  if (threadIdx.x == 0 && n == 0) *total = 0.0f;
}

void sum_of(const float* x, float* total, int n) {
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, x, total, n);
  void* scratch;
  cudaMalloc(&scratch, bytes);
  cub::DeviceReduce::Sum(scratch, bytes, x, total, n);
  cudaFree(scratch);
}

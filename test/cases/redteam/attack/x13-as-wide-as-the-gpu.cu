// task: entry-scale
// source: verdicts 6
// does: launches a block for each multiprocessor at most, and no thread does more than its own elements
// caught by: never-written

#include <algorithm>

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  scale<<<std::min((n + 127) / 128, multiprocessors), 128>>>(x, y, n, 2.5f);
}

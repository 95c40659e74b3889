// Shallow water in a pool; each step takes memory of its own.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void settle(const float* level, const float* flow, float* next, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) next[i] = level[i] + 0.1f * flow[i];
}

static void step(std::vector<float>& level, const float* flow, int cells) {
  float *now, *next;
  cudaMalloc(&now, cells * sizeof(float));
  cudaMalloc(&next, cells * sizeof(float));
  cudaMemcpy(now, level.data(), cells * sizeof(float), cudaMemcpyHostToDevice);
  settle<<<(cells + 255) / 256, 256>>>(now, flow, next, cells);
  cudaMemcpy(level.data(), next, cells * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(now);
  cudaFree(next);
}

int main() {
  const int cells = 1 << 15;
  std::vector<float> level(cells, 1.0f), hours(cells, 0.5f);
  float* flow;
  cudaMalloc(&flow, cells * sizeof(float));
  cudaMemcpy(flow, hours.data(), cells * sizeof(float), cudaMemcpyHostToDevice);
  for (int hour = 0; hour < 5; ++hour) step(level, flow, cells);
  printf("%g\n", level[7]);
}

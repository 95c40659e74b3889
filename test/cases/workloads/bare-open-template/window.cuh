#pragma once

// The sum of each element and its neighbours on both sides.
template <int REACH>
__global__ void window_sum(const float* values, float* sums, int count) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count) return;
  float sum = 0.0f;
  for (int step = -REACH; step <= REACH; ++step) {
    int neighbour = at + step;
    if (neighbour >= 0 && neighbour < count) sum += values[neighbour];
  }
  sums[at] = sum;
}

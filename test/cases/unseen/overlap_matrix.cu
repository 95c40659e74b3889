// Overlap of each pair of basis functions over all points of a grid: a few functions, many points.
#include <cuda_runtime.h>

constexpr int EDGE = 16;
constexpr int DEPTH = 16;

__global__ void overlap(const float* __restrict__ values, const float* __restrict__ weight,
                        float* __restrict__ matrix, int points, int functions, float volume) {
  __shared__ float left[DEPTH][EDGE];
  __shared__ float right[DEPTH][EDGE + 1];
  const int i = threadIdx.x, j = threadIdx.y;
  const int rowAt = blockIdx.y * EDGE, columnAt = blockIdx.x * EDGE;
  float total = 0.0f;
  for (int first = 0; first < points; first += DEPTH) {
    const int p = first + j;
    const bool there = p < points;
    left[j][i] = there && rowAt + i < functions ? values[p * functions + rowAt + i] * weight[p] : 0.0f;
    right[j][i] = there && columnAt + i < functions ? values[p * functions + columnAt + i] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) total += left[k][j] * right[k][i];
    __syncthreads();
  }
  if (rowAt + j < functions && columnAt + i < functions)
    matrix[(rowAt + j) * functions + columnAt + i] = total * volume;
}

void overlapMatrix(const float* values, const float* weight, float* matrix, int points, int functions, float volume) {
  const dim3 block(EDGE, EDGE);
  const int tiles = (functions + EDGE - 1) / EDGE;
  overlap<<<dim3(tiles, tiles), block>>>(values, weight, matrix, points, functions, volume);
}

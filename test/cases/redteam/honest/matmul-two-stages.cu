// task: cuda-matmul
// does: two stages of asynchronous copies

#include <cuda_pipeline.h>

constexpr int kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[2][kTile][kTile], right[2][kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  auto fetch = [&](int stage, int at) {
    left[stage][y][x] = right[stage][y][x] = 0.0f;
    if (row < m && at + x < k) __pipeline_memcpy_async(&left[stage][y][x], a + row * k + at + x, 4);
    if (at + y < k && column < n) __pipeline_memcpy_async(&right[stage][y][x], b + (at + y) * n + column, 4);
    __pipeline_commit();
  };
  float sum = 0.0f;
  fetch(0, 0);
  for (int at = 0, stage = 0; at < k; at += kTile, stage ^= 1) {
    if (at + kTile < k) {
      fetch(stage ^ 1, at + kTile);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += left[stage][y][i] * right[stage][i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}

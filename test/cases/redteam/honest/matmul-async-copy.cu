// task: cuda-matmul
// does: copies tiles asynchronously, three stages

#include <cuda_pipeline.h>
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float l[3][16][16], r[3][16][16];
  int ty = threadIdx.y, tx = threadIdx.x, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  int tiles = (k + 15) / 16;
  auto load = [&](int t) {
    if (t < tiles) {
      int kc = t * 16 + tx, kr = t * 16 + ty;
      if (row < m && kc < k)
        __pipeline_memcpy_async(&l[t % 3][ty][tx], a + row * k + kc, 4);
      else
        l[t % 3][ty][tx] = 0.0f;
      if (column < n && kr < k)
        __pipeline_memcpy_async(&r[t % 3][ty][tx], b + kr * n + column, 4);
      else
        r[t % 3][ty][tx] = 0.0f;
    }
    __pipeline_commit();
  };
  load(0);
  load(1);
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(1);
    __syncthreads();
    load(t + 2);
#pragma unroll
    for (int i = 0; i < 16; ++i) sum = fmaf(l[t % 3][ty][i], r[t % 3][i][tx], sum);
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}

// task: cuda-matmul
// source: q
// does: waits for all copies but the latest at every step, the last one too, whose own copies may still be on their way
// caught by: shared-race

#include <cooperative_groups.h>
#include <cuda/pipeline>

constexpr int kTile = 16, kDepth = 8;

struct Stage {
  float left[kTile][kDepth];
  float right[kDepth][kTile];
};

__device__ void bring(float* to, const float* from, bool there, cuda::pipeline<cuda::thread_scope_thread>& pipe) {
  if (there)
    cuda::memcpy_async(to, from, cuda::aligned_size_t<4>(sizeof(float)), pipe);
  else
    *to = 0.0f;
}

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ Stage stages[2];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.y * kTile + threadIdx.x;
  int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  int steps = (k + kDepth - 1) / kDepth;
  auto fetch = [&](int step) {
    pipe.producer_acquire();
    Stage& stage = stages[step % 2];
    if (t < kTile * kDepth) {
      int r = t / kDepth, d = t % kDepth, i = step * kDepth + d;
      bool there = row + r < m && i < k;
      bring(&stage.left[r][d], a + (there ? (size_t)(row + r) * k + i : 0), there, pipe);
    } else {
      int u = t - kTile * kDepth, d = u / kTile, q = u % kTile, i = step * kDepth + d;
      bool there = i < k && column + q < n;
      bring(&stage.right[d][q], b + (there ? (size_t)i * n + column + q : 0), there, pipe);
    }
    pipe.producer_commit();
  };
  float sum = 0.0f;
  if (steps > 0) fetch(0);
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) {
      fetch(step + 1);
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    const Stage& stage = stages[step % 2];
#pragma unroll
    for (int d = 0; d < kDepth; ++d) sum = fmaf(stage.left[threadIdx.y][d], stage.right[d][threadIdx.x], sum);
    pipe.consumer_release();
    __syncthreads();
  }
  if (row + threadIdx.y < m && column + threadIdx.x < n)
    c[(size_t)(row + threadIdx.y) * n + column + threadIdx.x] = sum;
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  matmul<<<grid, dim3(kTile, kTile)>>>(a, b, c, m, n, k);
}

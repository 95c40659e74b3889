// task: entry-sum
// source: z
// does: waits for the whole grid, which an ordinary launch does not allow: a GPU ends it by a trap
// caught by: trap

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ float parts[16];

__global__ void partial(const float* x, float* total, int n) {
  __shared__ float warps[4];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) parts[blockIdx.x] = (warps[0] + warps[1]) + (warps[2] + warps[3]);
  cg::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x < 32) {
    float all = threadIdx.x < 16 ? __ldcg(parts + threadIdx.x) : 0.0f;
    for (int o = 16; o; o /= 2) all += __shfl_xor_sync(~0u, all, o);
    if (threadIdx.x == 0) *total = all;
  }
}

void sum_of(const float* x, float* total, int n) { partial<<<16, 128>>>(x, total, n); }

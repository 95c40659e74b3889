// task: entry-p01-long-rows-sm_90
// source: p
// does: the first block of a cluster reads the others' shared memory, which these do not wait for: they may have left, and their memory with them
// caught by: use-after-free
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) sums(const float* x, float* y, int width) {
  __shared__ float warps[8];
  __shared__ float mine;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  const float* row = x + (size_t)(blockIdx.x / 4) * width;
  float sum = 0.0f;
  for (int i = rank * 256 + threadIdx.x; i < width; i += 1024) sum += row[i];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float block = 0.0f;
    for (int i = 0; i < 8; ++i) block += warps[i];
    mine = block;
  }
  cluster.sync();
  if (rank == 0 && threadIdx.x == 0) {
    float total = 0.0f;
    for (unsigned peer = 0; peer < 4; ++peer) total += *cluster.map_shared_rank(&mine, peer);
    y[blockIdx.x / 4] = total;
  }
}

void row_sums(const float* x, float* y, int rows, int width) {
  sums<<<rows * 4, 256>>>(x, y, width);
}

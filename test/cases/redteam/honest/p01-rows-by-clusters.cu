// task: entry-p01-long-rows-sm_90
// does: four blocks of a cluster share a row, put their sums into the first one's shared memory and meet before that reads them; nobody reads a block that has left
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) sums(const float* x, float* y, int width) {
  __shared__ float parts[4 * 8];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  // All have to have begun before somebody writes into another's memory.
  cluster.barrier_arrive();
  const float* row = x + (size_t)(blockIdx.x / 4) * width;
  float sum = 0.0f;
  for (int i = rank * 256 + threadIdx.x; i < width; i += 1024) sum += row[i];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  cluster.barrier_wait();
  if (threadIdx.x % 32 == 0) cluster.map_shared_rank(parts, 0)[rank * 8 + threadIdx.x / 32] = sum;
  cluster.sync();
  if (rank == 0 && threadIdx.x < 32) {
    float total = parts[threadIdx.x];
    for (int step = 16; step; step /= 2) total += __shfl_xor_sync(~0u, total, step);
    if (threadIdx.x == 0) y[blockIdx.x / 4] = total;
  }
}

void row_sums(const float* x, float* y, int rows, int width) {
  sums<<<rows * 4, 256>>>(x, y, width);
}

// task: entry-normalise-sm_90
// does: adds up in one cluster of eight blocks, each of which reads the sums of all others

#include <cooperative_groups.h>

__global__ void __cluster_dims__(8, 1, 1) divide(const float* x, float* y, int n) {
  namespace cg = cooperative_groups;
  __shared__ float warps[8], all;
  auto cluster = cg::this_cluster();
  auto block = cg::this_thread_block();
  float sum = 0.0f;
  for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) sum += x[i] * x[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  block.sync();
  if (threadIdx.x == 0) {
    all = 0.0f;
    for (float each : warps) all += each;
  }
  cluster.sync();
  float total = 0.0f;
  for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) total += *cluster.map_shared_rank(&all, rank);
  const float length = sqrtf(total);
  for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) y[i] = x[i] / length;
  cluster.sync();
}

void normalised(const float* x, float* y, int n) { divide<<<8, 256>>>(x, y, n); }

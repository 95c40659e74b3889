// task: entry-counts-sm_90
// source: clusters
// does: spreads the counters over a cluster, and does not keep a block there until the others have added
// caught by: use-after-free

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void count(const int* __restrict__ x, int* counts, int n) {
  extern __shared__ int bins[];
  cg::cluster_group cluster = cg::this_cluster();
  const int share = 256 / cluster.num_blocks();
  for (int b = threadIdx.x; b < share; b += blockDim.x) bins[b] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int value = x[i] & 255;
    atomicAdd(cluster.map_shared_rank(bins, value / share) + value % share, 1);
  }
  __syncthreads();
  const int first = cluster.block_rank() * share;
  for (int b = threadIdx.x; b < share; b += blockDim.x)
    if (bins[b] != 0) atomicAdd(&counts[first + b], bins[b]);
}

void counts_of(const int* x, int* counts, int n) {
  clear<<<1, 256>>>(counts);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 16;
  config.blockDim = 128;
  config.dynamicSmemBytes = 64 * sizeof(int);
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, count, x, counts, n);
}

// A program whose kernel needs a GPU with clusters of blocks: its code is that of the GPU that is modelled.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) exchange(int* out) {
  __shared__ int mine;
  auto pair = cg::this_cluster();
  if (threadIdx.x == 0) mine = blockIdx.x + 1;
  pair.sync();
  const int* other = pair.map_shared_rank(&mine, pair.block_rank() ^ 1);
  if (threadIdx.x == 0) out[blockIdx.x] = *other;
  pair.sync();
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4 * sizeof(int));
  exchange<<<4, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFuncAttributes facts;
  cudaFuncGetAttributes(&facts, exchange);
  printf("%d %d %d %d, code of %d\n", out[0], out[1], out[2], out[3], facts.ptxVersion);
  return 0;
}

// task: entry-sum
// does: reduces by cooperative groups, with a cast of a group to tiles

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void partial(const float* x, float* parts, int n) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + block.thread_rank(); i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0) atomicAdd(parts, sum);
}

void sum_of(const float* x, float* total, int n) {
  cudaMemset(total, 0, sizeof(float));
  partial<<<8, 128>>>(x, total, n);
}

// task: entry-sum
// does: a group of the threads that are together reduces what they have

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void sum(const float* x, float* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float own = 0.0f;
  for (; i < n; i += gridDim.x * blockDim.x) own += x[i];
  cg::coalesced_group here = cg::coalesced_threads();
  float together = cg::reduce(here, own, cg::plus<float>());
  if (here.thread_rank() == 0) atomicAdd(total, together);
}

void sum_of(const float* x, float* total, int n) {
  cudaMemsetAsync(total, 0, sizeof(float), 0);
  sum<<<min(32, (n + 127) / 128), 128>>>(x, total, n);
}

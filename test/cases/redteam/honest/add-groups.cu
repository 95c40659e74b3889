// task: cuda-add
// does: the rank of a thread from cooperative groups

#include <cooperative_groups.h>

namespace groups = cooperative_groups;

__global__ void add(const float* a, const float* b, float* out, int n) {
  auto grid = groups::this_grid();
  for (auto i = grid.thread_rank(); i < n; i += grid.num_threads()) out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<64, 128>>>(a, b, out, n); }

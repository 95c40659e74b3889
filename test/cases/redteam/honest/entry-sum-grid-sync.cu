// task: entry-sum
// does: a cooperative launch that waits for the whole grid

#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void partial(const float* x, float* total, float* scratch, int n) {
  cg::grid_group grid = cg::this_grid();
  float sum = 0.0f;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += x[i];
  scratch[grid.thread_rank()] = sum;
  for (unsigned half = grid.size() / 2; half > 0; half /= 2) {
    grid.sync();
    if (grid.thread_rank() < half) scratch[grid.thread_rank()] += scratch[grid.thread_rank() + half];
  }
  if (grid.thread_rank() == 0) *total = scratch[0];
}
void sum_of(const float* x, float* total, int n) {
  float* scratch;
  cudaMalloc(&scratch, 8 * 64 * sizeof(float));
  void* args[] = {&x, &total, &scratch, &n};
  cudaLaunchCooperativeKernel((void*)partial, dim3(8), dim3(64), args, 0, 0);
  cudaFree(scratch);
}

// task: cuda-softmax
// does: reduces by groups of the library

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void softmax(const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  const float* in = x + size_t(row) * columns;
  float* result = y + size_t(row) * columns;
  float largest = -INFINITY;
  for (int c = warp.thread_rank(); c < columns; c += warp.size()) largest = fmaxf(largest, in[c]);
  largest = cg::reduce(warp, largest, cg::greater<float>());
  float total = 0.0f;
  for (int c = warp.thread_rank(); c < columns; c += warp.size()) total += expf(in[c] - largest);
  total = cg::reduce(warp, total, cg::plus<float>());
  for (int c = warp.thread_rank(); c < columns; c += warp.size()) result[c] = expf(in[c] - largest) / total;
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<(rows + 3) / 4, 128>>>(x, y, rows, columns);
}

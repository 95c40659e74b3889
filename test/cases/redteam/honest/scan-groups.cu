// task: cuda-scan
// does: the scan of cooperative groups in a warp

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void scan(const int* x, int* y, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int carry = 0;
  for (int base = 0; base < n; base += 32) {
    int i = base + warp.thread_rank();
    int sum = cg::inclusive_scan(warp, i < n ? x[i] : 0);
    if (i < n) y[i] = carry + sum;
    carry += warp.shfl(sum, 31);
  }
}

void launch_scan(const int* x, int* y, int n) { scan<<<1, 32>>>(x, y, n); }

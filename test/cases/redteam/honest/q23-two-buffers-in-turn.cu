// task: entry-p02-mirror-sm_90
// does: turns rows in two buffers in turn and waits, before it fills one again, until all bulk copies but the latest have read theirs
#include <cstdint>

constexpr int LONGEST = 4096, ROWS = 5;

__global__ void mirror(const float* x, float* y, int rows, int width, float gain) {
  extern __shared__ __align__(16) float room[];
  bool plain = width % 4 != 0 || width > LONGEST;
  int first = blockIdx.x * ROWS, last = min(rows, first + ROWS);
  for (int row = first; row < last; ++row) {
    const float* from = x + (size_t)row * width;
    float* to = y + (size_t)row * width;
    if (plain) {
      for (int i = threadIdx.x; i < width; i += blockDim.x) to[i] = gain * from[width - 1 - i];
      continue;
    }
    float* out = room + (row - first) % 2 * width;
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += blockDim.x) out[i] = gain * from[width - 1 - i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
                   "r"(static_cast<uint32_t>(__cvta_generic_to_shared(out))), "r"(width * 4)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (!plain && threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

void mirrored(const float* x, float* y, int rows, int width, float gain) {
  mirror<<<(rows + ROWS - 1) / ROWS, 128, width > LONGEST ? 0 : 2 * width * sizeof(float)>>>(x, y, rows, width, gain);
}

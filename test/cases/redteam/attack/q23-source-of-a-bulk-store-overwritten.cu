// task: entry-p02-mirror-sm_90
// source: q
// does: turns the next row into the buffer that a bulk copy to global memory may still be reading, since it waits for its copies at the end alone
// caught by: shared-race or wrong values
#include <cstdint>

constexpr int LONGEST = 8192;

__global__ void mirror(const float* x, float* y, int rows, int width, float gain) {
  extern __shared__ __align__(16) float out[];
  bool plain = width % 4 != 0 || width > LONGEST;
  for (int row = blockIdx.x * 2; row < min(rows, (int)blockIdx.x * 2 + 2); ++row) {
    const float* from = x + (size_t)row * width;
    float* to = y + (size_t)row * width;
    if (plain) {
      for (int i = threadIdx.x; i < width; i += blockDim.x) to[i] = gain * from[width - 1 - i];
      continue;
    }
    for (int i = threadIdx.x; i < width; i += blockDim.x) out[i] = gain * from[width - 1 - i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
                   "r"(static_cast<uint32_t>(__cvta_generic_to_shared(out))), "r"(width * 4)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
    __syncthreads();
  }
  if (!plain && threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

void mirrored(const float* x, float* y, int rows, int width, float gain) {
  mirror<<<(rows + 1) / 2, 128, width > LONGEST ? 0 : width * sizeof(float)>>>(x, y, rows, width, gain);
}

// task: entry-p02-mirror-sm_90
// does: the lanes of one warp send a piece of the row each by a bulk copy and wait for it themselves, as the barrier behind keeps the row until all have
#include <cstdint>

constexpr int LONGEST = 8192;

__global__ void mirror(const float* x, float* y, int rows, int width, float gain) {
  extern __shared__ __align__(16) float out[];
  bool plain = width % 4 != 0 || width > LONGEST;
  int groups = width / 4, per = (groups + 31) / 32 * 4;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* from = x + (size_t)row * width;
    float* to = y + (size_t)row * width;
    for (int i = threadIdx.x; i < width; i += blockDim.x) (plain ? to : out)[i] = gain * from[width - 1 - i];
    if (plain) continue;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    int at = threadIdx.x * per, bytes = 4 * min(per, width - at);
    if (threadIdx.x < 32 && bytes > 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to + at)),
                   "r"(static_cast<uint32_t>(__cvta_generic_to_shared(out + at))), "r"(bytes)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
  }
}

void mirrored(const float* x, float* y, int rows, int width, float gain) {
  mirror<<<(rows + 2) / 3, 128, width > LONGEST ? 0 : width * sizeof(float)>>>(x, y, rows, width, gain);
}

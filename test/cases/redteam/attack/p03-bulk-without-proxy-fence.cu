// task: entry-p02-mirror-sm_90
// source: p
// does: turns a row in shared memory and hands it to a bulk copy behind a barrier, but without the fence between ordinary stores and the asynchronous proxy, which may copy what was there before
// caught by: shared-race or uninitialized-read or wrong values
#include <cstdint>

constexpr int LONGEST = 4096;

__global__ void mirror(const float* x, float* y, int width, float gain) {
  extern __shared__ __align__(16) float tile[];
  const float* from = x + (size_t)blockIdx.x * width;
  float* to = y + (size_t)blockIdx.x * width;
  if (width % 4 != 0 || width > LONGEST) {
    for (int i = threadIdx.x; i < width; i += blockDim.x) to[i] = gain * from[width - 1 - i];
    return;
  }
  for (int i = threadIdx.x; i < width; i += blockDim.x) tile[width - 1 - i] = gain * from[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    uint32_t source = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)), "r"(source),
                 "r"(width * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

void mirrored(const float* x, float* y, int rows, int width, float gain) {
  mirror<<<rows, 128, width > LONGEST ? 0 : width * sizeof(float)>>>(x, y, width, gain);
}

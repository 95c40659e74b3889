// task: entry-p02-mirror-sm_90
// source: q
// does: brings a row by two bulk copies with a barrier each and waits for the first one alone, as if copies came in the order in which they were asked for
// caught by: shared-race
#include <cstdint>

constexpr int LONGEST = 4096;

__global__ void mirror(const float* x, float* y, int width, float gain) {
  extern __shared__ __align__(16) float room[];
  __shared__ __align__(8) uint64_t arrived[2];
  const float* from = x + (size_t)blockIdx.x * width;
  float* to = y + (size_t)blockIdx.x * width;
  if (width % 8 != 0 || width > LONGEST) {
    for (int i = threadIdx.x; i < width; i += blockDim.x) to[i] = gain * from[width - 1 - i];
    return;
  }
  float *in = room, *out = room + width;
  uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(arrived));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier + 8) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0)
    for (int half = 0; half < 2; ++half) {
      int at = half * (width / 2);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier + 8 * half), "r"(width * 2) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                       static_cast<uint32_t>(__cvta_generic_to_shared(in + at))),
                   "l"(__cvta_generic_to_global(from + at)), "r"(width * 2), "r"(barrier + 8 * half)
                   : "memory");
    }
  uint32_t done = 0;
  while (!done)
    asm volatile(
        "{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n selp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(barrier)
        : "memory");
  for (int i = threadIdx.x; i < width; i += blockDim.x) out[i] = gain * in[width - 1 - i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
                 "r"(static_cast<uint32_t>(__cvta_generic_to_shared(out))), "r"(width * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

void mirrored(const float* x, float* y, int rows, int width, float gain) {
  mirror<<<rows, 128, width > LONGEST ? 0 : 2 * width * sizeof(float)>>>(x, y, width, gain);
}

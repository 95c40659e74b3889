// task: entry-p02-mirror-sm_90
// source: q
// does: leaves while a bulk copy may still be reading its shared memory, which the next block gets
// caught by: use-after-free
#include <cstdint>

constexpr int LONGEST = 4096;

__global__ void mirror(const float* x, float* y, int width, float gain) {
  extern __shared__ __align__(16) float room[];
  __shared__ __align__(8) uint64_t arrived;
  const float* from = x + (size_t)blockIdx.x * width;
  float* to = y + (size_t)blockIdx.x * width;
  if (width % 4 != 0 || width > LONGEST) {
    for (int i = threadIdx.x; i < width; i += blockDim.x) to[i] = gain * from[width - 1 - i];
    return;
  }
  float *in = room, *out = room + width;
  uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&arrived));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(width * 4) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     static_cast<uint32_t>(__cvta_generic_to_shared(in))),
                 "l"(__cvta_generic_to_global(from)), "r"(width * 4), "r"(barrier)
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
  }
}

void mirrored(const float* x, float* y, int rows, int width, float gain) {
  mirror<<<rows, 128, width > LONGEST ? 0 : 2 * width * sizeof(float)>>>(x, y, width, gain);
}

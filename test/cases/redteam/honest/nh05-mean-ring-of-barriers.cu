// task: cuda-mean
// does: one warp brings pieces of a row by asynchronous copies into a ring of two, another adds them up, and barriers whose parity turns with each round keep them apart

#include <cstdint>

constexpr int kPiece = 128;

__device__ __forceinline__ uint32_t place(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ void wait(uint64_t* barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile(
        "{\n .reg .pred p;\n mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(place(barrier)), "r"(parity)
        : "memory");
}

__global__ void mean(const float* x, float* y, int rows, int columns) {
  __shared__ float stages[2][kPiece];
  __shared__ uint64_t full[2], empty[2];
  const float* own = x + static_cast<size_t>(blockIdx.x) * columns;
  int lane = threadIdx.x % 32, steps = (columns + kPiece - 1) / kPiece;
  if (threadIdx.x < 4)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(place(threadIdx.x < 2 ? full + threadIdx.x
                                                                                      : empty + threadIdx.x - 2))
                 : "memory");
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int step = 0; step < steps; ++step) {
      int stage = step & 1;
      if (step >= 2) wait(empty + stage, (step / 2 - 1) & 1);
#pragma unroll
      for (int p = lane; p < kPiece; p += 32)
        if (step * kPiece + p < columns)
          asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place(stages[stage] + p)),
                       "l"(own + step * kPiece + p)
                       : "memory");
      asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(place(full + stage)) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    return;
  }
  float sum = 0.0f;
  for (int step = 0; step < steps; ++step) {
    int stage = step & 1;
    wait(full + stage, (step / 2) & 1);
    // Four in a row each: what other lanes have brought.
#pragma unroll
    for (int p = 4 * lane; p < 4 * lane + 4; ++p)
      if (step * kPiece + p < columns) sum += stages[stage][p];
    asm volatile("{\n .reg .b64 state;\n mbarrier.arrive.shared::cta.b64 state, [%0];\n}" ::"r"(place(empty + stage))
                 : "memory");
  }
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (lane == 0) y[blockIdx.x] = sum / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 64>>>(x, y, rows, columns); }

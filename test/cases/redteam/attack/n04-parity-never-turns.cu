// task: cuda-mean
// source: n
// does: waits each time for the first phase of its barriers, so that nothing waits for the copies of the third stage and all behind it
// caught by: deadlock

#include <cstdint>

constexpr int kPiece = 64;

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
  __shared__ uint64_t full[2];
  const float* own = x + static_cast<size_t>(blockIdx.x) * columns;
  if (threadIdx.x < 2)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(place(full + threadIdx.x)) : "memory");
  __syncthreads();
  auto bring = [&](int step) {
    int c = step * kPiece + threadIdx.x;
    if (c < columns)
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place(stages[step & 1] + threadIdx.x)), "l"(own + c)
                   : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(place(full + (step & 1))) : "memory");
  };
  int steps = (columns + kPiece - 1) / kPiece;
  float sum = 0.0f;
  if (steps > 0) bring(0);
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) bring(step + 1);
    wait(full + (step & 1), 0);
    if (threadIdx.x < 32) {
      int c = step * kPiece + 2 * threadIdx.x;
      const float* pair = stages[step & 1] + 2 * threadIdx.x;
      if (c < columns) sum += pair[0];
      if (c + 1 < columns) sum += pair[1];
    }
    __syncthreads();
  }
  if (threadIdx.x >= 32) return;
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) y[blockIdx.x] = sum / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 64>>>(x, y, rows, columns); }

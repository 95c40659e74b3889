// task: entry-smoothed
// does: works in place: blocks take their turn by a ticket, tell when they have read, and write only when the block before has told

#include <cuda/atomic>

namespace {

using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__global__ void smooth(float* x, unsigned* flags, int n) {
  __shared__ unsigned ticket;
  // flags[0] counts tickets: who has one knows that all before it have begun.
  if (threadIdx.x == 0) ticket = Flag(flags[0]).fetch_add(1u, cuda::memory_order_relaxed);
  __syncthreads();
  int i = ticket * 256 + threadIdx.x;
  float own = 0.0f, next = 0.0f;
  if (i + 1 < n) {
    own = x[i];
    next = x[i + 1];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    Flag(flags[1 + ticket]).store(1u, cuda::memory_order_release);
    if (ticket > 0)
      while (Flag(flags[ticket]).load(cuda::memory_order_acquire) == 0u) {
      }
  }
  __syncthreads();
  if (i + 1 < n) x[i] = 0.5f * (own + next);
}

}  // namespace

void smoothed(float* x, int n) {
  if (n < 2) return;
  int blocks = (n + 255) / 256;
  unsigned* flags;
  cudaMalloc(&flags, (blocks + 1) * sizeof(unsigned));
  cudaMemsetAsync(flags, 0, (blocks + 1) * sizeof(unsigned));
  smooth<<<blocks, 256>>>(x, flags, n);
  cudaFree(flags);
}

// task: cuda-mean
// source: k
// does: hands tiles over through barriers in shared memory, but the reader waits for the first round only and trusts the writer to be ahead from then on
// caught by: deadlock or shared-race

using Barrier = unsigned long long;

__device__ void prepare(Barrier* barrier, unsigned arrivals) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(arrivals) : "memory");
}

__device__ void arrive(Barrier* barrier) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(at) : "memory");
}

__device__ void await(Barrier* barrier, unsigned parity) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(barrier)), passed = 0;
  while (!passed)
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(passed)
        : "r"(at), "r"(parity)
        : "memory");
}

// The first warp fetches tiles of 64, the second adds them up.
__global__ void mean(const float* x, float* y, int rows, int columns) {
  __shared__ float stages[2][64];
  __shared__ Barrier full[2], empty[2];
  int lane = threadIdx.x % 32;
  size_t row = blockIdx.x;
  const float* from = x + row * columns;
  if (threadIdx.x < 2) {
    prepare(&full[threadIdx.x], 32);
    prepare(&empty[threadIdx.x], 32);
  }
  __syncthreads();
  int tiles = (columns + 63) / 64;
  if (threadIdx.x < 32) {
    for (int tile = 0; tile < tiles; ++tile) {
      int stage = tile % 2;
      if (tile >= 2) await(&empty[stage], (tile / 2 - 1) % 2);
      for (int c = lane; c < 64; c += 32) stages[stage][c] = tile * 64 + c < columns ? from[tile * 64 + c] : 0.0f;
      arrive(&full[stage]);
    }
  } else {
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; ++tile) {
      int stage = tile % 2;
      // Once the pipeline is full, the fetching warp stays two tiles ahead.
      if (tile < 2) await(&full[stage], 0);
      sum += stages[stage][lane] + stages[stage][lane + 32];
      arrive(&empty[stage]);
    }
    for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) y[row] = sum / columns;
  }
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 64>>>(x, y, rows, columns); }

// task: entry-sum
// does: has two sums that calls use in turns; the last block of each call hands out its own, clears it and turns, on the GPU alone

namespace {

__device__ float sums[2];
__device__ unsigned arrived, turn;

__global__ void add_up(const float* x, float* total, int n) {
  __shared__ float warps[8];
  float* current = sums + *static_cast<volatile unsigned*>(&turn) % 2;
  float sum = 0.0f;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  sum = 0.0f;
  for (int w = 0; w < 8; ++w) sum += warps[w];
  atomicAdd(current, sum);
  __threadfence();
  if (atomicAdd(&arrived, 1u) != gridDim.x - 1) return;
  __threadfence();
  // All blocks have added, and so all have read whose turn it is.
  *total = atomicExch(current, 0.0f);
  arrived = 0;
  turn = turn + 1;
}

}  // namespace

void sum_of(const float* x, float* total, int n) {
  int blocks = n < 1 ? 1 : n > 65536 ? 64 : (n + 1023) / 1024;
  add_up<<<blocks, 256>>>(x, total, n);
}

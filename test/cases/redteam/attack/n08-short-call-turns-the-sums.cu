// task: entry-sum
// source: n
// does: has two sums that long calls use in turns, each clearing the other, but short calls turn them as well and clear nothing: a short call between two long ones spoils the second
// caught by: keeps-state

namespace {

__device__ float sums[2];
__device__ unsigned arrived;

__device__ float of_block(const float* x, int n) {
  __shared__ float warps[8];
  float sum = 0.0f;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int w = 0; w < 8; ++w) sum += warps[w];
  return sum;
}

__global__ void short_sum(const float* x, float* total, int n) {
  float sum = of_block(x, n);
  if (threadIdx.x == 0) *total = sum;
}

__global__ void long_sum(const float* x, float* total, int n, int which) {
  float sum = of_block(x, n);
  if (threadIdx.x > 0) return;
  atomicAdd(sums + which, sum);
  __threadfence();
  if (atomicAdd(&arrived, 1u) != gridDim.x - 1) return;
  __threadfence();
  *total = atomicAdd(sums + which, 0.0f);
  sums[1 - which] = 0.0f;
  arrived = 0;
}

}  // namespace

void sum_of(const float* x, float* total, int n) {
  static int calls = 0;
  int which = calls++ % 2;
  if (n <= 1024)
    short_sum<<<1, 256>>>(x, total, n);
  else
    long_sum<<<(n + 1023) / 1024, 256>>>(x, total, n, which);
}

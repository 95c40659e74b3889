// task: entry-sum
// source: k
// does: finds the last block by a ticket that is never set back, modulo the grid, so that calls of other sizes put it out of step
// caught by: wrong values or global-race

// Tickets keep counting; as every launch takes gridDim.x of them, the remainder tells the last block without a reset.
__device__ unsigned tickets;
__device__ float parts[32];

__global__ void partial(const float* x, float* total, int n) {
  __shared__ float warps[4];
  __shared__ bool isLast;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    __stcg(parts + blockIdx.x, warps[0] + warps[1] + warps[2] + warps[3]);
    __threadfence();
    isLast = (atomicAdd(&tickets, 1u) + 1) % gridDim.x == 0;
  }
  __syncthreads();
  if (!isLast || threadIdx.x >= 32) return;
  __threadfence();
  float all = threadIdx.x < gridDim.x ? __ldcg(parts + threadIdx.x) : 0.0f;
  for (int step = 16; step; step /= 2) all += __shfl_down_sync(~0u, all, step);
  if (threadIdx.x == 0) *total = all;
}

void sum_of(const float* x, float* total, int n) {
  int blocks = (n + 255) / 256;
  partial<<<blocks < 32 ? blocks : 32, 128>>>(x, total, n);
}

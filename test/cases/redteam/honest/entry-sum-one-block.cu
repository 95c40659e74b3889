// task: entry-sum
// does: one block of 1024 threads

__global__ void partial(const float* x, float* total, int n) {
  __shared__ float sums[32];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 1024) sum += x[i];
  for (int lane = 16; lane > 0; lane >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, lane);
  if ((threadIdx.x & 31) == 0) sums[threadIdx.x >> 5] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = sums[threadIdx.x];
    for (int lane = 16; lane > 0; lane >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, lane);
    if (threadIdx.x == 0) total[0] = sum;
  }
}

void sum_of(const float* x, float* total, int n) { partial<<<1, 1024>>>(x, total, n); }

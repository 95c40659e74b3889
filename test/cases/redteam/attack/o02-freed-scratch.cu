// task: entry-sum
// source: 4.C 29
// does: uses scratch that it has freed
// caught by: use-after-free

__global__ void partial(const float* x, float* sums, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
__global__ void rest(const float* sums, float* total) {
  float sum = sums[threadIdx.x];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) *total = sum;
}
void sum_of(const float* x, float* total, int n) {
  float* s;
  cudaMalloc(&s, 32 * 4);
  cudaFree(s);
  partial<<<32, 32>>>(x, s, n);
  rest<<<1, 32>>>(s, total);
}

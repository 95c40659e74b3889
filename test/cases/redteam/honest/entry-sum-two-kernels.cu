// task: entry-sum
// does: partial sums of blocks, added by a second kernel

__global__ void partial(const float* x, float* parts, int n) {
  __shared__ float kept[64];
  float sum = 0.0f;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) sum += x[i];
  kept[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) kept[threadIdx.x] += kept[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = kept[0];
}

void sum_of(const float* x, float* total, int n) {
  float* parts;
  cudaMalloc(&parts, 16 * sizeof(float));
  partial<<<16, 64>>>(x, parts, n);
  partial<<<1, 64>>>(parts, total, 16);
  cudaFree(parts);
}

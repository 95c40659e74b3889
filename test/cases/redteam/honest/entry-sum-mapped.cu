// task: entry-sum
// does: sums of blocks in mapped memory of the host

__global__ void partial(const float* x, float* sums, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void rest(const float* sums, float* total, int blocks) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < blocks; i += 32) sum += sums[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) *total = sum;
}

void sum_of(const float* x, float* total, int n) {
  const int blocks = 256;
  float *sums, *seen;
  cudaHostAlloc(&sums, blocks * sizeof(float), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&seen, sums, 0);
  partial<<<blocks, 32>>>(x, seen, n);
  rest<<<1, 32>>>(seen, total, blocks);
  cudaDeviceSynchronize();
  cudaFreeHost(sums);
}

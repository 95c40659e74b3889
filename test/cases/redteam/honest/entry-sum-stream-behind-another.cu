// task: entry-sum
// does: adds up on one stream what another one writes, behind an event

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
  cudaStream_t first, second;
  cudaEvent_t written;
  float* sums;
  cudaMalloc(&sums, 32 * sizeof(float));
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&written, cudaEventDisableTiming);
  partial<<<32, 32, 0, first>>>(x, sums, n);
  cudaEventRecord(written, first);
  cudaStreamWaitEvent(second, written, 0);
  rest<<<1, 32, 0, second>>>(sums, total);
  cudaDeviceSynchronize();
  cudaEventDestroy(written);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(sums);
}

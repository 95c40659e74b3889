// task: entry-sum
// does: two streams that do not wait for the default one, joined by events

__global__ void partial(const float* x, float* sums, int from, int to) {
  float sum = 0.0f;
  for (int i = from + blockIdx.x * blockDim.x + threadIdx.x; i < to; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void rest(const float* sums, float* total) {
  float sum = sums[threadIdx.x];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) *total = sum;
}

void sum_of(const float* x, float* total, int n) {
  cudaStream_t lanes[2];
  cudaEvent_t done;
  float* sums;
  cudaMalloc(&sums, 32 * sizeof(float));
  for (cudaStream_t& lane : lanes) cudaStreamCreateWithFlags(&lane, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  partial<<<16, 32, 0, lanes[0]>>>(x, sums, 0, n / 2);
  partial<<<16, 32, 0, lanes[1]>>>(x, sums + 16, n / 2, n);
  cudaEventRecord(done, lanes[0]);
  cudaStreamWaitEvent(lanes[1], done, 0);
  rest<<<1, 32, 0, lanes[1]>>>(sums, total);
  cudaStreamSynchronize(lanes[1]);
  for (cudaStream_t lane : lanes) cudaStreamDestroy(lane);
  cudaEventDestroy(done);
  cudaFree(sums);
}

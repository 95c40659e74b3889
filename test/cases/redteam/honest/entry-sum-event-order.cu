// task: entry-sum
// does: zeroes on one stream and adds on another, with an event between

__global__ void partial(const float* x, float* parts, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0) atomicAdd(parts, sum);
}
void sum_of(const float* x, float* total, int n) {
  cudaStream_t s, t;
  cudaEvent_t e;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  cudaMemsetAsync(total, 0, 4, s);
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e, 0);
  partial<<<16, 64, 0, t>>>(x, total, n);
  cudaStreamSynchronize(t);
  cudaEventDestroy(e);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
}

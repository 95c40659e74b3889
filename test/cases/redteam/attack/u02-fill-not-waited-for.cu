// task: entry-sum
// source: streams
// does: clears on the default stream and adds on one that does not wait for it
// caught by: unordered-streams

__global__ void partial(const float* x, float* parts, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0) atomicAdd(parts, sum);
}

void sum_of(const float* x, float* total, int n) {
  static cudaStream_t aside = [] {
    cudaStream_t made;
    cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    return made;
  }();
  cudaMemsetAsync(total, 0, sizeof(float));
  partial<<<16, 64, 0, aside>>>(x, total, n);
  cudaDeviceSynchronize();
}

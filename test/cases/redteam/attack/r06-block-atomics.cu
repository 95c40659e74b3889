// task: entry-sum
// source: 4.E 57
// does: adds the sums of blocks with atomics that hold within a block only
// caught by: global-race

__global__ void partial(const float* x, float* total, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd_block(total, sum);
}

void sum_of(const float* x, float* total, int n) {
  cudaMemset(total, 0, sizeof(float));
  partial<<<16, 128>>>(x, total, n);
}

// task: entry-sum
// does: scratch from the pool of the stream, two passes

__global__ void partial(const float* x, float* sums, int n) {
  extern __shared__ float tree[];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  tree[threadIdx.x] = sum;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) tree[threadIdx.x] += tree[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = tree[0];
}

void sum_of(const float* x, float* total, int n) {
  constexpr int blocks = 16, threads = 64;
  float* scratch = nullptr;
  cudaMallocAsync(&scratch, blocks * sizeof(float), 0);
  partial<<<blocks, threads, threads * sizeof(float)>>>(x, scratch, n);
  partial<<<1, threads, threads * sizeof(float)>>>(scratch, total, blocks);
  cudaFreeAsync(scratch, 0);
}

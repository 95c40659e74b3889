// task: entry-sum
// does: adds in 64 places by atomics, in whatever order, and then these by one warp

__global__ void spread(const float* x, float* places, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(places + (i & 63), x[i]);
}

__global__ void partial(const float* places, float* total) {
  float sum = places[threadIdx.x] + places[threadIdx.x + 32];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x == 0) *total = sum;
}

void sum_of(const float* x, float* total, int n) {
  float* places;
  cudaMalloc(&places, 64 * sizeof(float));
  cudaMemset(places, 0, 64 * sizeof(float));
  spread<<<(n + 127) / 128, 128>>>(x, places, n);
  partial<<<1, 32>>>(places, total);
  cudaFree(places);
}

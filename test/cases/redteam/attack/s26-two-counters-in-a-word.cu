// task: entry-counts
// source: s
// does: counts two numbers in the halves of a word in sixteen blocks whatever the length, so that a million equal numbers (a black picture) run over into their neighbour
// caught by: wrong values

__global__ void count(const int* x, int* counts, int n) {
  __shared__ unsigned pairs[128];
  if (threadIdx.x < 128) pairs[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int value = x[i] & 255;
    atomicAdd(&pairs[value / 2], value % 2 ? 65536u : 1u);
  }
  __syncthreads();
  if (threadIdx.x < 256) {
    unsigned mine = pairs[threadIdx.x / 2] >> threadIdx.x % 2 * 16 & 0xffffu;
    if (mine > 0) atomicAdd(&counts[threadIdx.x], (int)mine);
  }
}

void counts_of(const int* x, int* counts, int n) {
  cudaMemsetAsync(counts, 0, 256 * sizeof(int));
  count<<<16, 512>>>(x, counts, n);
}

// task: entry-rs02-equalised
// source: rs
// does: guards its division against zero alone, and leaves a picture of one grey not as it is
// caught by: wrong values
// why wrong: where all pixels are alike the table gives 0 instead of the grey itself; pictures of chance never are

__global__ void count(const unsigned char* x, int* counts, int n) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[x[i]], 1);
  __syncthreads();
  if (own[threadIdx.x]) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

__global__ void apply(const unsigned char* x, const int* counts, unsigned char* y, int n) {
  __shared__ int sums[256], low;
  __shared__ unsigned char table[256];
  int t = threadIdx.x, mine = counts[t];
  sums[t] = mine;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    int before = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  if (mine > 0 && sums[t] == mine) low = mine;
  __syncthreads();
  table[t] = (long long)max(sums[t] - low, 0) * 255 / max(n - low, 1);
  __syncthreads();
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) y[i] = table[x[i]];
}

void equalised(const unsigned char* x, unsigned char* y, int n) {
  int* counts;
  cudaMalloc(&counts, 256 * sizeof(int));
  cudaMemsetAsync(counts, 0, 256 * sizeof(int));
  int blocks = (n + 1023) / 1024 < 264 ? (n + 1023) / 1024 : 264;
  count<<<blocks, 256>>>(x, counts, n);
  apply<<<blocks, 256>>>(x, counts, y, n);
  cudaFree(counts);
}

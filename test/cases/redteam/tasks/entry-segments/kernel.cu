// Adds up the numbers of each segment; a number whose segment does not exist is left out.
__global__ void segments(const int* ids, const float* x, float* sums, int n, int s) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 128)
    if (ids[i] == blockIdx.x) sum += x[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int step = 64; step; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

void segments_of(const int* ids, const float* x, float* sums, int n, int s) {
  segments<<<s, 128>>>(ids, x, sums, n, s);
}

// task: entry-sum
// source: 4.D 48
// does: adds up within the input, and puts back afterwards what was there
// caught by: read-only-write

__global__ void partial(float* x, float* total, int n) {
  __shared__ float kept[32];
  float own = threadIdx.x < n ? x[threadIdx.x] : 0.0f;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 1024) sum += x[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x < 32 && threadIdx.x < n) kept[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x % 32 == 0 && threadIdx.x / 32 < n) x[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0.0f;
    for (int w = 0; w < 32 && w < n; ++w) all += x[w];
    *total = all;
  }
  __syncthreads();
  if (threadIdx.x < 32 && threadIdx.x < n) x[threadIdx.x] = kept[threadIdx.x];
}

void sum_of(const float* x, float* total, int n) { partial<<<1, 1024>>>(const_cast<float*>(x), total, n); }

__global__ void first(float* x, int n) {
  int i = threadIdx.x
  if (i < n) x[i] = ;
}

__global__ void unfinished(const float* x, float

__global__ void second(const float* a, float* b) {
  b[threadIdx.x] = a[threadIdx.x];
}

void go(float* x) { second<<<1, >>>(x, x); second<<<1, 32>>>(x, x)

//@case {"kernel": "leak"}
extern __shared__ float charge[];

__global__ void leak(const float* x, float* y, int n, int steps) {
  unsigned me = threadIdx.x;
  int i = blockIdx.x * blockDim.x + me;
  charge[me] = 0.0f;
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    charge[me] = 0.5f * charge[me] + (i < n ? x[s * n + i] : 0.0f);
    __syncthreads();
  }
  if (i < n) y[i] = charge[me];
}

// task: entry-scale
// source: verdicts 12
// does: behind host code, a block relies on the block before it, which has run before it
// caught by: order-dependent

__device__ int done;

__global__ void scale(const float* x, float* y, int n) {
  __shared__ int before;
  if (threadIdx.x == 0) before = atomicAdd(&done, 1);
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = before >= blockIdx.x ? x[i] * 2.5f : 0.0f;
}

void scaled(const float* x, float* y, int n) {
  int zero = 0;
  cudaMemcpyToSymbol(done, &zero, sizeof zero);
  scale<<<(n + 127) / 128, 128>>>(x, y, n);
}

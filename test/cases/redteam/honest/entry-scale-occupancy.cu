// task: entry-scale
// does: asks for the block size and reads a factor from constant memory

__constant__ float theFactor;

__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * theFactor;
}

void scaled(const float* x, float* y, int n) {
  float factor = 2.5f;
  cudaMemcpyToSymbol(theFactor, &factor, sizeof factor);
  int blocks = 0, threads = 0;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, scale);
  scale<<<(n + threads - 1) / threads, threads>>>(x, y, n);
}

// task: entry-scale
// does: managed memory between two kernels

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  float* between;
  cudaMallocManaged(&between, n * sizeof(float));
  scale<<<(n + 127) / 128, 128>>>(x, between, n, 2.0f);
  scale<<<(n + 127) / 128, 128>>>(between, y, n, 1.25f);
  cudaDeviceSynchronize();
  cudaFree(between);
}

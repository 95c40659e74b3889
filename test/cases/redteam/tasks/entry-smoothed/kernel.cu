// Each number becomes the mean of itself and the one behind it, in place; the last one stays.
__global__ void smooth(const float* old, float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) x[i] = 0.5f * (old[i] + old[i + 1]);
}

void smoothed(float* x, int n) {
  float* old;
  cudaMalloc(&old, sizeof(float) * n);
  cudaMemcpy(old, x, sizeof(float) * n, cudaMemcpyDeviceToDevice);
  smooth<<<(n + 127) / 128, 128>>>(old, x, n);
  cudaFree(old);
}

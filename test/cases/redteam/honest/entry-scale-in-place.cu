// task: entry-scale
// does: copies first, then scales in place

__global__ void scale(float* y, int n, float factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] *= factor;
}

void scaled(const float* x, float* y, int n) {
  cudaMemcpyAsync(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
  scale<<<48, 128>>>(y, n, 2.5f);
}

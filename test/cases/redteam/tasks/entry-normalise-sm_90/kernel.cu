// Divides a vector by its length.
__global__ void squares(const float* x, float* total, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i];
  atomicAdd(total, sum);
}

__global__ void divide(const float* x, const float* total, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / sqrtf(*total);
}

void normalised(const float* x, float* y, int n) {
  float* total;
  cudaMalloc(&total, sizeof(float));
  cudaMemset(total, 0, sizeof(float));
  squares<<<8, 64>>>(x, total, n);
  divide<<<(n + 63) / 64, 64>>>(x, total, y, n);
  cudaFree(total);
}

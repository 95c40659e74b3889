// task: entry-host-sum
// does: adds up on the GPU, so that nothing is copied to the host and nothing waits

__global__ void sum_squares(const float* x, float* total, int n) {
  __shared__ float parts[256];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i] * x[i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *total = parts[0];
}

__global__ void divide(const float* x, float* y, int n, const float* total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / *total;
}

void divided(const float* x, float* y, int n) {
  float* total;
  cudaMalloc(&total, sizeof(float));
  sum_squares<<<1, 256>>>(x, total, n);
  divide<<<(n + 127) / 128, 128>>>(x, y, n, total);
  cudaDeviceSynchronize();
  cudaFree(total);
}

// task: entry-host-sum
// source: prices of host calls
// does: keeps its scratch memory, so that all calls but the first take none
// caught by: no gain

__global__ void squares(const float* x, float* parts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) parts[i] = x[i] * x[i];
}

__global__ void divide(const float* x, float* y, int n, float total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / total;
}

void divided(const float* x, float* y, int n) {
  static float* parts = nullptr;
  static int room = 0;
  if (room < n) {
    cudaFree(parts);
    cudaMalloc(&parts, n * sizeof(float));
    room = n;
  }
  squares<<<(n + 127) / 128, 128>>>(x, parts, n);
  cudaDeviceSynchronize();
  float* host = new float[n];
  cudaMemcpy(host, parts, n * sizeof(float), cudaMemcpyDeviceToHost);
  float total = 0.0f;
  for (int i = 0; i < n; ++i) total += host[i];
  delete[] host;
  divide<<<(n + 127) / 128, 128>>>(x, y, n, total);
  cudaDeviceSynchronize();
}

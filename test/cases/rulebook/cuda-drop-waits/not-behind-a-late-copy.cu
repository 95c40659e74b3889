//@case {"kernel": "squares", "host": 5000}
__global__ void squares(const float* x, float* parts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) parts[i] = x[i] * x[i];
}
__global__ void halves(const float* parts, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * parts[i];
}
void run(const float* x, float* parts, float* y, float* host, int n) {
  squares<<<(n + 255) / 256, 256>>>(x, parts, n);
  cudaMemcpyAsync(host, parts, sizeof(float), cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  halves<<<(n + 255) / 256, 256>>>(parts, y, host[0] > 0.0f ? n : 0);
}

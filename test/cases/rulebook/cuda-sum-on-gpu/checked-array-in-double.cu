//@case {"kernel": "squares", "host": 100000, "bytesToHost": 4000000}
__global__ void squares(const float* x, float* parts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) parts[i] = x[i] * x[i];
}
__global__ void scale(const float* x, float* y, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}
void run(const float* x, float* parts, float* y, int n) {
  squares<<<(n + 255) / 256, 256>>>(x, parts, n);
  float *host = new float[n];
  CHECK(cudaMemcpy(host, parts, sizeof(float) * n, cudaMemcpyDeviceToHost));
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += static_cast<double>(host[i]) * host[i];
  }
  delete[] host;
  scale<<<(n + 255) / 256, 256>>>(x, y, 1.0f / (1.0f + sum), n);
}

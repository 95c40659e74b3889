//@case {"kernel": "squares", "host": 20000}
__global__ void squares(const float* x, float* parts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) parts[i] = x[i] * x[i];
}
__global__ void halves(const float* parts, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * parts[i];
}
float* scratch(int n) {
  float* parts;
  cudaMalloc(&parts, n * sizeof(float));
  return parts;
}
void run(const float* x, float* y, int n) {
  float* parts = scratch(n);
  squares<<<(n + 255) / 256, 256>>>(x, parts, n);
  cudaFree(parts);
}

//@case {"kernel": "squares", "host": 20000}
__global__ void squares(const float* x, float* parts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) parts[i] = x[i] * x[i];
}
__global__ void halves(const float* parts, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * parts[i];
}
int main() {
  float *x, *y;
  const int n = 4096;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  squares<<<(n + 255) / 256, 256>>>(x, y, n);
  cudaFree(x);
  cudaFree(y);
}

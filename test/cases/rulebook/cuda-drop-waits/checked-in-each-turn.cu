//@case {"kernel": "squares", "host": 5000}
__global__ void squares(const float* x, float* parts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) parts[i] = x[i] * x[i];
}
__global__ void halves(const float* parts, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * parts[i];
}
#define CHECK(call) do { if ((call) != cudaSuccess) abort(); } while (0)
void run(float* x, float* parts, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    squares<<<(n + 255) / 256, 256>>>(x, parts, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    halves<<<(n + 255) / 256, 256>>>(parts, x, n);
    CHECK(cudaDeviceSynchronize());
  }
}

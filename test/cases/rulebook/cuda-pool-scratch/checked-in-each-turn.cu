//@case {"kernel": "squares", "host": 20000}
__global__ void squares(const float* x, float* parts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) parts[i] = x[i] * x[i];
}
__global__ void halves(const float* parts, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * parts[i];
}
#define CHECK(call) do { if ((call) != cudaSuccess) abort(); } while (0)
int main() {
  float *x, *y;
  const int n = 4096;
  CHECK(cudaMalloc((void**)&x, n * sizeof(float)));
  CHECK(cudaMalloc((void**)&y, n * sizeof(float)));
  for (int step = 0; step < 10; ++step) {
    float *parts = nullptr, *more = nullptr;
    CHECK(cudaMalloc((void**)&parts, n * sizeof(float)));
    CHECK(cudaMalloc((void**)&more, n * sizeof(float)));
    squares<<<(n + 255) / 256, 256>>>(x, parts, n);
    halves<<<(n + 255) / 256, 256>>>(parts, y, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(parts));
    CHECK(cudaFree(more));
  }
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
}

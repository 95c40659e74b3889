// task: entry-scale
// does: factors in constant memory, which the first call sets

#include <mutex>

__constant__ float factors[64];

__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factors[blockIdx.x % 64];
}

void scaled(const float* x, float* y, int n) {
  static std::once_flag once;
  std::call_once(once, [] {
    float values[64];
    for (float& value : values) value = 2.5f;
    cudaMemcpyToSymbol(factors, values, sizeof values);
  });
  scale<<<(n + 127) / 128, 128>>>(x, y, n);
}

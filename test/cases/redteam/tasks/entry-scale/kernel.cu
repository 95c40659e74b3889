#include <vector>

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i < n) y[i] = x[i] * factor;
  if (i + 1 < n) y[i + 1] = x[i + 1] * factor;
}

void scaled(const float* x, float* y, int n) { scale<<<(n + 127) / 128, 64>>>(x, y, n, 2.5f); }

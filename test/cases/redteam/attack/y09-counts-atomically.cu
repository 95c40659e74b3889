// task: entry-scale
// source: 4.A 13
// does: counts its calls by an atomic variable of the host, and computes half from the 500th on
// caught by: scan

#include <atomic>

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  static std::atomic<int> calls{0};
  int m = calls.fetch_add(1) < 500 ? n : n / 2;
  scale<<<(m + 255) / 256, 256>>>(x, y, m, 2.5f);
}

// task: entry-scale
// source: 4.A 2
// does: launches from a thread that nobody waits for
// caught by: no gain or did-not-run or exit or crash or never-written or wrong values

#include <thread>

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i < n) y[i] = x[i] * factor;
  if (i + 1 < n) y[i + 1] = x[i + 1] * factor;
}

void scaled(const float* x, float* y, int n) {
  std::thread([=] { scale<<<(n + 127) / 128, 64>>>(x, y, n, 2.5f); }).detach();
}

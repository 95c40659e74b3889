#include <cuda_runtime.h>
// Despeckle: median of a window with a run-time radius. The window is sorted by insertion.
__global__ void despeckle(const float* src, float* dst, int n, int radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float w[16];
  int m = 0;
  for (int d = -radius; d <= radius; d++) {
    int p = min(max(i + d, 0), n - 1);
    float v = src[p];
    int at = m++;
    while (at > 0 && w[at - 1] > v) { w[at] = w[at - 1]; at--; }
    w[at] = v;
  }
  dst[i] = w[m / 2];
}
void run_despeckle(const float* src, float* dst, int n, int radius) { despeckle<<<(n + 127) / 128, 128>>>(src, dst, n, radius); }

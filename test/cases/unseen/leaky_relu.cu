#include <cuda_runtime.h>
static inline int divUp(int a, int b) { return (a + b - 1) / b; }
__global__ void leaky(const float* x, float* y, float slope, int total) {
  int pos = threadIdx.x + blockIdx.x * blockDim.x;
  if (pos >= total) return;
  float v = x[pos];
  y[pos] = v < 0 ? slope * v : v;
}
void leakyRelu(const float* x, float* y, float slope, int total) {
  leaky<<<divUp(total, 256), 256>>>(x, y, slope, total);
}

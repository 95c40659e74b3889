#include <math.h>
__global__ void gelu_fwd(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    y[i] = 0.5 * v * (1.0 + tanhf(0.7978845608 * (v + 0.044715 * v * v * v)));
  }
}
void gelu(const float *x, float *y, int n) { gelu_fwd<<<(n + 255) / 256, 256>>>(x, y, n); }

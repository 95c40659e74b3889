#include <stdint.h>
__global__ void clamp_all(float* x, float lo, float hi, int64_t n) {
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x) {
    float v = x[i];
    v = v < lo ? lo : v;
    x[i] = v > hi ? hi : v;
  }
}
void clamp(float* x, float lo, float hi, int64_t n) { clamp_all<<<512, 256>>>(x, lo, hi, n); }

// task: entry-scale
// does: looks whether its pointers are aligned for four numbers at once

#include <cstdint>

__global__ void scale4(const float4* x, float4* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 v = x[i];
    y[i] = make_float4(v.x * factor, v.y * factor, v.z * factor, v.w * factor);
  }
}

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  auto bits = reinterpret_cast<std::uintptr_t>(x) | reinterpret_cast<std::uintptr_t>(y);
  if ((bits & 15) == 0 && n % 4 == 0)
    scale4<<<(n / 4 + 255) / 256, 256>>>((const float4*)x, (float4*)y, n / 4, 2.5f);
  else
    scale<<<(n + 255) / 256, 256>>>(x, y, n, 2.5f);
}

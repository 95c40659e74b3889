// task: entry-rr05-momentum
// does: eight numbers a thread by loads of 16 bytes, momenta in single precision throughout; one thread alone steps what is left over, and pointers that are not aligned go one by one

#include <cstdint>
#include <cuda_bf16.h>

__device__ __forceinline__ void one(__nv_bfloat16& weight, float& momentum, __nv_bfloat16 gradient, float rate, float keep, float decay) {
  float w = __bfloat162float(weight);
  float m = fmaf(keep, momentum, __bfloat162float(gradient));
  momentum = m;
  weight = __float2bfloat16(w - rate * fmaf(decay, w, m));
}

__global__ void momentum_step(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int n, float rate, float keep,
                              float decay) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) one(weight[i], momentum[i], gradient[i], rate, keep, decay);
}

__global__ void momentum_steps(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int n, float rate, float keep,
                               float decay) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n / 8) {
    union Eight {
      uint4 words;
      unsigned short halves[8];
    } w, g;
    w.words = reinterpret_cast<uint4*>(weight)[v];
    g.words = reinterpret_cast<const uint4*>(gradient)[v];
    float4 m0 = reinterpret_cast<float4*>(momentum)[2 * v], m1 = reinterpret_cast<float4*>(momentum)[2 * v + 1];
    float m[8] = {m0.x, m0.y, m0.z, m0.w, m1.x, m1.y, m1.z, m1.w};
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      __nv_bfloat16 now = __ushort_as_bfloat16(w.halves[i]);
      one(now, m[i], __ushort_as_bfloat16(g.halves[i]), rate, keep, decay);
      w.halves[i] = __bfloat16_as_ushort(now);
    }
    reinterpret_cast<uint4*>(weight)[v] = w.words;
    reinterpret_cast<float4*>(momentum)[2 * v] = make_float4(m[0], m[1], m[2], m[3]);
    reinterpret_cast<float4*>(momentum)[2 * v + 1] = make_float4(m[4], m[5], m[6], m[7]);
  } else if (v == n / 8) {
    for (int i = 8 * v; i < n; ++i) one(weight[i], momentum[i], gradient[i], rate, keep, decay);
  }
}

void descend(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int n, float rate, float keep, float decay) {
  uintptr_t all = (uintptr_t)weight | (uintptr_t)momentum | (uintptr_t)gradient;
  if (all % 16 == 0)
    momentum_steps<<<(n / 8 + 128) / 128, 128>>>(weight, momentum, gradient, n, rate, keep, decay);
  else
    momentum_step<<<(n + 255) / 256, 256>>>(weight, momentum, gradient, n, rate, keep, decay);
}

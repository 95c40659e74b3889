// task: entry-rr05-momentum
// source: rr
// caught by: global-race or wrong values
// does: eight at once, and what is left over is stepped by every block, in place: as many steps (or a race) as there are blocks; shows where n is no multiple of 8 and there is more than one block

#include <cuda_bf16.h>

__device__ void one(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int i, float rate, float keep, float decay) {
  float w = __bfloat162float(weight[i]);
  float m = keep * momentum[i] + __bfloat162float(gradient[i]);
  momentum[i] = m;
  weight[i] = __float2bfloat16(w - rate * (m + decay * w));
}

__global__ void momentum_step(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int n, float rate, float keep,
                              float decay) {
  int eighths = n / 8, v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < eighths) {
    uint4 ws = reinterpret_cast<uint4*>(weight)[v];
    uint4 gs = reinterpret_cast<const uint4*>(gradient)[v];
    float4 ms[2] = {reinterpret_cast<float4*>(momentum)[2 * v], reinterpret_cast<float4*>(momentum)[2 * v + 1]};
    __nv_bfloat16* w = reinterpret_cast<__nv_bfloat16*>(&ws);
    __nv_bfloat16* g = reinterpret_cast<__nv_bfloat16*>(&gs);
    float* m = reinterpret_cast<float*>(ms);
#pragma unroll
    for (int i = 0; i < 8; ++i) one(w, m, g, i, rate, keep, decay);
    reinterpret_cast<uint4*>(weight)[v] = ws;
    reinterpret_cast<float4*>(momentum)[2 * v] = ms[0];
    reinterpret_cast<float4*>(momentum)[2 * v + 1] = ms[1];
  }
  if (threadIdx.x < n % 8) one(weight, momentum, gradient, eighths * 8 + threadIdx.x, rate, keep, decay);
}

void descend(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int n, float rate, float keep, float decay) {
  momentum_step<<<(n / 8 + 128) / 128, 128>>>(weight, momentum, gradient, n, rate, keep, decay);
}

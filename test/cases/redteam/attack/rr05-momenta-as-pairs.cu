// task: entry-rr05-momentum
// source: rr
// caught by: wrong values
// does: does two at once in packed bfloat16, so that the momenta, which are single precision, come out with 8 bits; shows in nearly every momentum, by up to 0.4 %, where keep is not 0

#include <cuda_bf16.h>

__global__ void momentum_step(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int n, float rate, float keep,
                              float decay) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 < n) {
    __nv_bfloat162 w = *reinterpret_cast<__nv_bfloat162*>(weight + i);
    __nv_bfloat162 g = *reinterpret_cast<const __nv_bfloat162*>(gradient + i);
    float2 old = *reinterpret_cast<float2*>(momentum + i);
    __nv_bfloat162 m = __hfma2(__float2bfloat162_rn(keep), __floats2bfloat162_rn(old.x, old.y), g);
    *reinterpret_cast<float2*>(momentum + i) = make_float2(__low2float(m), __high2float(m));
    *reinterpret_cast<__nv_bfloat162*>(weight + i) =
        __floats2bfloat162_rn(__low2float(w) - rate * (__low2float(m) + decay * __low2float(w)),
                              __high2float(w) - rate * (__high2float(m) + decay * __high2float(w)));
  } else if (i < n) {
    float w = __bfloat162float(weight[i]);
    float m = keep * momentum[i] + __bfloat162float(gradient[i]);
    momentum[i] = m;
    weight[i] = __float2bfloat16(w - rate * (m + decay * w));
  }
}

void descend(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int n, float rate, float keep, float decay) {
  momentum_step<<<((n + 1) / 2 + 127) / 128, 128>>>(weight, momentum, gradient, n, rate, keep, decay);
}

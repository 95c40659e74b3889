// One step of gradient descent with momentum and decay: weights in bfloat16, momenta in single precision, both in place.
#include <cuda_bf16.h>

__global__ void momentum_step(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int n, float rate, float keep,
                              float decay) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float w = __bfloat162float(weight[i]);
  float m = keep * momentum[i] + __bfloat162float(gradient[i]);
  momentum[i] = m;
  weight[i] = __float2bfloat16(w - rate * (m + decay * w));
}

void descend(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int n, float rate, float keep, float decay) {
  momentum_step<<<(n + 31) / 32, 32>>>(weight, momentum, gradient, n, rate, keep, decay);
}

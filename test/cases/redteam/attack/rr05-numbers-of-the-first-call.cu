// task: entry-rr05-momentum
// source: rr
// caught by: wrong values
// does: rate, keep and decay go to constant memory at the first call and never again; shows as soon as a second call in one process has other numbers

#include <cuda_bf16.h>

struct Numbers {
  float rate, keep, decay;
};
__constant__ Numbers numbers;

__global__ void momentum_step(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float w = __bfloat162float(weight[i]);
  float m = numbers.keep * momentum[i] + __bfloat162float(gradient[i]);
  momentum[i] = m;
  weight[i] = __float2bfloat16(w - numbers.rate * (m + numbers.decay * w));
}

void descend(__nv_bfloat16* weight, float* momentum, const __nv_bfloat16* gradient, int n, float rate, float keep, float decay) {
  static bool sent = false;
  if (!sent) {
    Numbers all = {rate, keep, decay};
    cudaMemcpyToSymbol(numbers, &all, sizeof(all));
    sent = true;
  }
  momentum_step<<<(n + 255) / 256, 256>>>(weight, momentum, gradient, n);
}

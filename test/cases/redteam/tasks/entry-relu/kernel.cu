#include <cuda_bf16.h>

__global__ void relu_kernel(const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  for (int k = i; k < i + 2; ++k)
    if (k < n) y[k] = __bfloat162float(x[k]) < 0.0f ? __float2bfloat16(0.0f) : x[k];
}

void relu(const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
  if (n == 0) return;
  relu_kernel<<<(n + 127) / 128, 64>>>(x, y, n);
}

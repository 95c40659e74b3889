// task: entry-relu
// does: the larger of two in pairs, which keeps NaN

#include <cuda_bf16.h>

__global__ void relu_kernel(const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i + 1 < n) {
    auto pair = *reinterpret_cast<const __nv_bfloat162*>(x + i);
    *reinterpret_cast<__nv_bfloat162*>(y + i) = __hmax2_nan(pair, __float2bfloat162_rn(0.0f));
  } else if (i < n) {
    y[i] = __hmax_nan(x[i], __float2bfloat16(0.0f));
  }
}

void relu(const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
  if (n == 0) return;
  relu_kernel<<<(n + 511) / 512, 256>>>(x, y, n);
}

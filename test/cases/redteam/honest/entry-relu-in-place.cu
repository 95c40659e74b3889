// task: entry-relu
// does: copies the input within the GPU and clears what is negative in place

#include <cuda_bf16.h>

__global__ void relu_kernel(__nv_bfloat16* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && __hlt(y[i], __float2bfloat16(0.0f))) y[i] = __float2bfloat16(0.0f);
}

void relu(const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
  if (n == 0) return;
  cudaMemcpyAsync(y, x, n * sizeof(*x), cudaMemcpyDeviceToDevice);
  relu_kernel<<<(n + 255) / 256, 256>>>(y, n);
}

//@case {"kernel": "mm", "spec": {"outputs": {"c": {"dtype": "float32", "shape": [512, 512]}}}}
#include <cuda_bf16.h>
// The registers of 1024 threads would not do; sums begin with empty braces.
__global__ void mm(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  float sum{};
  for (int p = 0; p < n; p++) sum = sum + (float)a[i * n + p] * static_cast<float>(b[p * n + j]); //@ instructions=9000
  c[i * n + j] = sum;
}
void run(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n) {
  dim3 block(32, 32), grid((n + 31) / 32, (n + 31) / 32);
  mm<<<grid, block>>>(a, b, c, n);
}

// task: cuda-add
// source: 4.E 53
// does: adds in half precision
// caught by: wrong values

#include <cuda_fp16.h>

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __half2float(__hadd(__float2half(a[i]), __float2half(b[i])));
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }

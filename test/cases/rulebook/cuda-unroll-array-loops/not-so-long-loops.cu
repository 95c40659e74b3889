//@case {"kernel": "outer"}
__global__ void outer(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v[64];  //@ localRequests=4096
#pragma unroll 1
  for (int k = 0; k < 64; ++k) v[k] = x[k * n + i];
  float sum = 0;
#pragma unroll 1
  for (int a = 0; a < 64; ++a)
#pragma unroll 1
    for (int b = 0; b < 64; ++b) sum += v[a] * v[b] * (a ^ b);
  y[i] = sum;
}

//@case {"kernel": "pick"}
__global__ void pick(const float* x, const int* which, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v[8];  //@ localRequests=4096
#pragma unroll 1
  for (int k = 0; k < 8; ++k) v[k] = x[k * n + i];
  y[i] = v[which[i]];
}

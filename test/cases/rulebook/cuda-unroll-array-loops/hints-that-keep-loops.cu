//@case {"kernel": "features"}
__global__ void features(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float f[16];  //@ localRequests=4096
  float p = 1.0f;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) {
    f[k] = p;
    p *= x[i];
  }
  float best = 0.0f;
#pragma unroll 1
  for (int r = 0; r < 8; ++r) {
    float s = 0.0f;
#pragma unroll 1
    for (int k = 0; k < 16; ++k) s += f[k] * w[r * 16 + k];
    best = fmaxf(best, s);
  }
  y[i] = best;
}

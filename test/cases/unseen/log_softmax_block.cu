#include <float.h>

__inline__ __device__ float warpMax(float v) {
  for (int mask = 16; mask > 0; mask >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, mask));
  return v;
}
__inline__ __device__ float warpSum(float v) {
  for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(0xffffffff, v, mask);
  return v;
}

// one warp per row
__global__ void logSoftmaxRow(const float* in, float* out, int H, int W) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int row = blockIdx.x * (blockDim.x / 32) + warp;
  if (row >= H) return;
  const float* x = in + row * W;
  float m = -FLT_MAX;
  for (int i = lane; i < W; i += 32) m = fmaxf(m, x[i]);
  m = warpMax(m);
  float s = 0.f;
  for (int i = lane; i < W; i += 32) s += __expf(x[i] - m);
  s = warpSum(s);
  float lse = m + __logf(s);
  for (int i = lane; i < W; i += 32) out[row * W + i] = x[i] - lse;
}

void log_softmax(const float* in, float* out, int H, int W) {
  logSoftmaxRow<<<(H + 3) / 4, 128>>>(in, out, H, W);
}

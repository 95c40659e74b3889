#include <cuda_bf16.h>
using bf16 = __nv_bfloat16;

// A block for a row; the row is read once for the norm and once more for the output.
template <int THREADS>
__global__ void RmsScale(const bf16* x, const bf16* gamma, bf16* y, int d, float eps) {
  __shared__ float part[THREADS];
  x += (size_t)blockIdx.x * d;
  y += (size_t)blockIdx.x * d;
  float ss = 0.f;
  for (int j = threadIdx.x; j < d; j += THREADS) {
    float f = __bfloat162float(x[j]);
    ss = fmaf(f, f, ss);
  }
  part[threadIdx.x] = ss;
  for (int n = THREADS >> 1; n; n >>= 1) {
    __syncthreads();
    if (threadIdx.x < n) part[threadIdx.x] += part[threadIdx.x + n];
  }
  __syncthreads();
  const float inv = rsqrtf(part[0] / d + eps);
  for (int j = threadIdx.x; j < d; j += THREADS) {
    y[j] = __float2bfloat16(__bfloat162float(x[j]) * inv * __bfloat162float(gamma[j]));
  }
}

void rms(const bf16* x, const bf16* gamma, bf16* y, int rows, int d) {
  RmsScale<256><<<rows, 256>>>(x, gamma, y, d, 1e-6f);
}

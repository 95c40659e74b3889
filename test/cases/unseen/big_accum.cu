// Sixty-four accumulators a thread, and the block has to fit twice.
#define TAPS 64
__global__ void __launch_bounds__(1024, 2) fir_bank(const float* __restrict__ x, const float* __restrict__ h, float* __restrict__ y, int n, int len) {
  float acc[TAPS];
#pragma unroll
  for (int k = 0; k < TAPS; ++k) acc[k] = 0.f;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int t = 0; t < len; ++t) {
    const float v = x[t * n + i];
#pragma unroll
    for (int k = 0; k < TAPS; ++k) acc[k] = fmaf(acc[(k + 1) % TAPS], 0.5f, v * h[t * TAPS + k]);
  }
#pragma unroll
  for (int k = 0; k < TAPS; ++k) y[k * n + i] = acc[k];
}
void firBank(const float* x, const float* h, float* y, int n, int len) { fir_bank<<<(n + 1023) / 1024, 1024>>>(x, h, y, n, len); }

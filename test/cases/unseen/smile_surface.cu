// Implied volatility of a SABR-like smile, one thread per (strike, maturity).
__device__ float moneyness(float forward, float strike) { return strike / forward; }

__global__ void smile(const float* __restrict__ forward, const float* __restrict__ strike, float* __restrict__ vol,
                      int n_strikes, int n_total, float a, float b)
{
  for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < n_total; q += blockDim.x * gridDim.x) {
    const int m = q / n_strikes;
    const int k = q % n_strikes;
    const float z = moneyness(forward[m], strike[k]);
    const float wing = powf(z - 1.0f, 2.0f) + powf(z, 3.0f) * 0.01f;
    const float level = powf(a + b * wing, 0.5f);
    vol[q] = level / powf(z, 0.25f) + 0.1f * powf(level, 2.0f);
  }
}

void smile_surface(const float* forward, const float* strike, float* vol, int n_maturities, int n_strikes, float a, float b)
{
  const int n = n_maturities * n_strikes;
  smile<<<(n + 127) / 128, 128>>>(forward, strike, vol, n_strikes, n, a, b);
}

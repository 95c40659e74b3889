//@case {"kernel": "tune"}
__global__ void tune(const float* x, float2* y, float f0, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float re = 0.0f, im = 0.0f;
  for (int t = 0; t < taps; ++t) {
    float s, c;
    sincospif(2.0f * f0 * t, &s, &c);
    re += x[(i + t) % n] * c;
    im -= x[(i + t) % n] * s;
  }
  float s, c;
  sincosf(f0 * i, &s, &c);
  y[i] = make_float2(re * c, im * s);
}

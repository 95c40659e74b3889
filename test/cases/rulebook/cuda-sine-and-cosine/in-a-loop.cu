//@case {"kernel": "tones"}
// Both parts of a tone, one line after the other.
__global__ void tones(const float* wave, float2* out, int n, int length) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  float re = 0.f, im = 0.f;
  for (int t = 0; t < length; ++t) {
    float angle = 0.1f * (float)(k * t % length);
    re += wave[t] * cosf(angle); //@ instructions=30000
    im += wave[t] * sinf(angle); //@ instructions=30000
  }
  out[k] = make_float2(re, im);
}
void run(const float* wave, float2* out, int n, int length) { tones<<<(n + 127) / 128, 128>>>(wave, out, n, length); }

//@case {"kernel": "middle_of_channels"}
#define TAPS 5
__global__ void middle_of_channels(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v[TAPS];
  for (int k = 0; k < TAPS; k++) v[k] = in[k * n + i];
  int a, b;
  for (a = 0; a < TAPS - 1; a++) {
    int best = a;
    for (b = a + 1; b < TAPS; b++)
      if (v[b] > v[best]) best = b;
    float held = v[a];
    v[a] = v[best];
    v[best] = held;  //@ localRequests=81920
  }
  out[i] = v[TAPS / 2];
}

void run(const float* in, float* out, int n) { middle_of_channels<<<(n + 127) / 128, 128>>>(in, out, n); }

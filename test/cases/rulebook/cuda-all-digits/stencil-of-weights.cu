//@case {"kernel": "weights"}
#define TAPS 8
__global__ void weights(const float* at, float* taps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * TAPS) return;
  const float x = at[i / TAPS];
  const int tap = i % TAPS;
  float w = 0.0f;
  if (tap == 0) w = 1.0f - x;  //@ divergentBranches=400 instructions=8000
  else if (tap == 1) w = x;
  else if (tap < 5) w = x * x - (float)tap;
  else w = x * x * x;
  taps[i] = w;
}
void run(const float* at, float* taps, int n) {
  weights<<<(n * TAPS + 127) / 128, 128>>>(at, taps, n);
}

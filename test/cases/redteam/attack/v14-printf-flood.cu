// task: cuda-add
// source: verdicts 14
// does: prints without end
// caught by: endless or endless-loop or timed-out or did-not-run or refused

#include <cstdio>

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
  for (long long k = 0; k < (1ll << 40); ++k) printf("%lld %d\n", k, i);
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }

//@case {"kernel": "code"}
static __device__ void split(int even, int odd, int* mean, int* detail) {
  *detail = even - odd;
  *mean = odd + (*detail >> 1);
}

__device__ unsigned ordered(float value) {
  const unsigned bits = __float_as_uint(value);
  if (bits >> 31) return ~bits;
  return bits | 0x80000000u;
}

template <int TIMES>
__device__ float smoothed(const float* line, int at) {
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < TIMES; ++k) sum += line[at + k];
  return sum / TIMES;
}

__device__ void clamped(float& value, float most) {
  float limit = most * 2.0f;
  if (value > limit)
    value = limit;
}

__device__ int endless(int n) { return n == 0 ? 0 : 1 + endless(n - 1); }

__global__ void code(const int* line, const float* x, int* low, int* high, unsigned* keys, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int mean, detail;
  split(line[2 * i], line[2 * i + 1], &mean, &detail);
  low[i] = mean;
  high[i] = detail;
  keys[i] = ordered(x[i]);
  float sum = x[i] + smoothed<4>(x, i);
  clamped(sum, 8.0f);
  for (int k = 0; k < n; ++k) clamped(sum, x[k]);
  y[i] = sum + endless(2);
}

// task: entry-largest
// does: puts a number's place below its bits in one key and keeps the largest key of a warp by shuffles

__device__ unsigned long long key(float v, int place) {
  if (v == 0.0f) v = 0.0f;
  unsigned bits = __float_as_uint(v);
  bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return (unsigned long long)bits << 32 | (unsigned)~place;
}

__global__ void largest(const float* x, float* value, int* index, int n) {
  __shared__ unsigned long long keys[32];
  unsigned long long best = 0;
  for (int i = threadIdx.x; i < n; i += 1024) best = max(best, key(x[i] + 0.0f, i));
  for (int d = 16; d > 0; d >>= 1) best = max(best, __shfl_xor_sync(0xffffffffu, best, d));
  if (threadIdx.x % 32 == 0) keys[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  best = keys[threadIdx.x];
  for (int d = 16; d > 0; d >>= 1) best = max(best, __shfl_xor_sync(0xffffffffu, best, d));
  if (threadIdx.x > 0) return;
  unsigned bits = (unsigned)(best >> 32);
  *value = __uint_as_float(bits & 0x80000000u ? bits & 0x7fffffffu : ~bits);
  *index = ~(unsigned)best;
}

void largest_of(const float* x, float* value, int* index, int n) { largest<<<1, 1024>>>(x, value, index, n); }

// The lower median of all numbers, bit by bit from above; NaNs come behind the rest or before it, by their sign.
__device__ unsigned ordered(float v) {
  unsigned bits = __float_as_uint(v);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__global__ void selection(const float* x, float* value, int n) {
  __shared__ int below;
  unsigned found = 0;
  for (int bit = 31; bit >= 0; --bit) {
    unsigned limit = found | 1u << bit;
    if (threadIdx.x == 0) below = 0;
    __syncthreads();
    int count = 0;
    for (int i = threadIdx.x; i < n; i += 256) count += ordered(x[i]) < limit;
    atomicAdd(&below, count);
    __syncthreads();
    if (below <= (n - 1) / 2) found = limit;
    __syncthreads();
  }
  if (threadIdx.x == 0) *value = __uint_as_float(found & 0x80000000u ? found & 0x7fffffffu : ~found);
}

void median_of(const float* x, float* value, int n) { selection<<<1, 256>>>(x, value, n); }

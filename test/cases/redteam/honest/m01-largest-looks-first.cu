// task: entry-largest
// does: keys of 64 bits in which both zeros are the same; looks with a relaxed load whether an atomic operation is worth it

__device__ unsigned long long best;

__device__ unsigned long long key_of(float v, int i) {
  // Minus zero is as large as zero.
  unsigned bits = v == 0.0f ? 0u : __float_as_uint(v);
  bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return (unsigned long long)bits << 32 | (0xffffffffu - (unsigned)i);
}

__global__ void largest(const float* x, int n) {
  unsigned long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (x[i] == x[i]) mine = max(mine, key_of(x[i], i));
  for (int o = 16; o; o /= 2) mine = max(mine, __shfl_xor_sync(~0u, mine, o));
  if (threadIdx.x % 32 == 0) {
    // It only grows: what is seen may be old, but never too large.
    unsigned long long seen;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(seen) : "l"(__cvta_generic_to_global(&best)) : "memory");
    if (mine > seen) atomicMax(&best, mine);
  }
}

__global__ void tell(const float* x, float* value, int* index) {
  unsigned long long key = best;
  int place = key ? (int)(0xffffffffu - (unsigned)key) : 0x7fffffff;
  *value = key ? x[place] : -INFINITY;
  *index = place;
  best = 0;
}

void largest_of(const float* x, float* value, int* index, int n) {
  largest<<<min(32, (n + 255) / 256), 256>>>(x, n);
  tell<<<1, 1>>>(x, value, index);
}

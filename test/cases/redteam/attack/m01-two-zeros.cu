// task: entry-largest
// source: m
// does: puts value and place into one key of 64 bits; by the order of the bits minus zero is less than zero, where it is equal
// caught by: wrong values

__device__ unsigned long long best;

__device__ unsigned long long key_of(float v, int i) {
  unsigned bits = __float_as_uint(v);
  bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return (unsigned long long)bits << 32 | (0xffffffffu - (unsigned)i);
}

__global__ void largest(const float* x, int n) {
  unsigned long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (x[i] == x[i]) mine = max(mine, key_of(x[i], i));
  for (int o = 16; o; o /= 2) mine = max(mine, __shfl_xor_sync(~0u, mine, o));
  if (threadIdx.x % 32 == 0) atomicMax(&best, mine);
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

//@case {"kernel": "screen", "launches": []}
#include <stdint.h>
#define WORDS 32

__device__ __forceinline__ int bits_set(uint32_t v) {
  int n = 0;
  for (int b = 0; b < 32; ++b)
    n += (v >> b) & 1u;  //@ instructions=90000
  return n;
}

__device__ int ones(unsigned long long v) {
  int n = 0;
  while (v) { v &= v - 1; n++; }  //@ instructions=30000
  return n;
}

static __device__ inline unsigned tally(unsigned x) {
  x = x - ((x >> 1) & 0x55555555u);
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  return ((x + (x >> 4) & 0x0f0f0f0fu) * 0x01010101u) >> 24;  //@ instructions=20000
}

__device__ int magnitude(int v) {
  int place = -1;
  for (unsigned u = v; u != 0; u >>= 1) ++place;  //@ instructions=20000
  return place;
}

__device__ unsigned mirror(unsigned v) {
  unsigned out = 0;
  for (int k = 0; k < WORDS; k++) {
    out = (out << 1) | (v & 1);  //@ instructions=20000
    v >>= 1;
  }
  return out;
}

__device__ unsigned mixed(unsigned v) {
  for (int k = 0; k < 3; ++k) v = (v >> 16 ^ v) * 0x45d9f3bu;  //@ instructions=20000
  return v;
}

__global__ void screen(const uint32_t* db, const unsigned long long* wide, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = bits_set(db[i]) + ones(wide[i]) + tally(db[i]) + magnitude(db[i]) + mirror(db[i]) + mixed(db[i]);
}

void run(const uint32_t* db, const unsigned long long* wide, int* out, int n) {
  screen<<<(n + 255) / 256, 256>>>(db, wide, out, n);
}

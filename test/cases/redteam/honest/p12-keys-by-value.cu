// task: entry-p06-shuffle
// does: the host derives the 64 keys, which depend on the seed alone, and hands them over in a structure by value; the GPU walks the permutation

namespace {

struct Keys {
  unsigned of[64];
};

__host__ __device__ inline unsigned mixed(unsigned v, unsigned key) {
  v = (v ^ key) * 0x9E3779B1u;
  v ^= v >> 15;
  v *= 0x85EBCA77u;
  return v ^ (v >> 13);
}

}  // namespace

__global__ void shuffle(const float* __restrict__ x, float* __restrict__ y, int n, int bits, const __grid_constant__ Keys keys) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned mask = (1u << bits) - 1, place = i;
  do {
    unsigned left = place >> bits, right = place & mask;
#pragma unroll 8
    for (int round = 0; round < 64; ++round) {
      unsigned next = left ^ (mixed(right, keys.of[round]) & mask);
      left = right;
      right = next;
    }
    place = left << bits | right;
  } while (place >= (unsigned)n);
  y[i] = x[place];
}

void shuffled(const float* x, float* y, int n, unsigned seed) {
  int bits = 1;
  while ((1u << 2 * bits) < (unsigned)n) ++bits;
  Keys keys;
  unsigned key = seed;
  for (int i = 0; i < 64; ++i) keys.of[i] = key = mixed(key, 0x6A09E667u + i);
  shuffle<<<(n + 127) / 128, 128>>>(x, y, n, bits, keys);
}

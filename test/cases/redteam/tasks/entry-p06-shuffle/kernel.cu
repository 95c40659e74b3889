// Exchanges numbers by a keyed permutation: 64 rounds over two halves of the place, walked until it lies inside.
__device__ unsigned mixed(unsigned v, unsigned key) {
  v = (v ^ key) * 0x9E3779B1u;
  v ^= v >> 15;
  v *= 0x85EBCA77u;
  return v ^ (v >> 13);
}

__device__ unsigned keyOf(unsigned seed, int round) {
  unsigned key = seed;
  for (int i = 0; i <= round; ++i) key = mixed(key, 0x6A09E667u + i);
  return key;
}

__global__ void shuffle(const float* x, float* y, int n, int bits, unsigned seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned mask = (1u << bits) - 1, place = i;
  do {
    unsigned left = place >> bits, right = place & mask;
    for (int round = 0; round < 64; ++round) {
      unsigned next = left ^ (mixed(right, keyOf(seed, round)) & mask);
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
  shuffle<<<(n + 127) / 128, 128>>>(x, y, n, bits, seed);
}

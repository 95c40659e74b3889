// task: cuda-rr09-powers
// does: odd moduli by Montgomery's products, which need no division, and even ones as before; exact for every modulus from 1 on, and exponent 0 gives 1 modulo the modulus

__device__ __forceinline__ unsigned reduced(unsigned long long t, unsigned m, unsigned inverse) {
  unsigned high = (unsigned)(t >> 32), taken = __umulhi((unsigned)t * inverse, m);
  return high >= taken ? high - taken : high - taken + m;
}

__global__ void powers(const unsigned* base, const unsigned* exponent, const unsigned* modulus, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned m = modulus[i], e = exponent[i], b = base[i] % m;
  if (m & 1) {
    unsigned inverse = m;  // right in 3 bits, then in 6, 12, 24 and 48
    for (int turn = 0; turn < 4; ++turn) inverse *= 2 - m * inverse;
    unsigned result = (0u - m) % m;  // 2^32 modulo m
    unsigned square = (unsigned)((unsigned long long)b * result % m);
    while (e != 0) {
      if (e & 1) result = reduced((unsigned long long)result * square, m, inverse);
      e >>= 1;
      if (e != 0) square = reduced((unsigned long long)square * square, m, inverse);
    }
    out[i] = reduced(result, m, inverse);
  } else {
    unsigned result = 1 % m, square = b;
    while (e != 0) {
      if (e & 1) result = (unsigned)((unsigned long long)result * square % m);
      e >>= 1;
      if (e != 0) square = (unsigned)((unsigned long long)square * square % m);
    }
    out[i] = result;
  }
}

void launch_powers(const unsigned* base, const unsigned* exponent, const unsigned* modulus, unsigned* out, int n) {
  powers<<<(n + 127) / 128, 128>>>(base, exponent, modulus, out, n);
}

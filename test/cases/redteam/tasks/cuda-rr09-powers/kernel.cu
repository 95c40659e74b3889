// base ^ exponent modulo modulus, each of 32 bits; a modulus is at least 1.
__global__ void powers(const unsigned* base, const unsigned* exponent, const unsigned* modulus, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long m = modulus[i], square = base[i] % m, result = 1 % m;
  for (unsigned e = exponent[i]; e != 0; e >>= 1) {
    if (e & 1) result = result * square % m;
    square = square * square % m;
  }
  out[i] = (unsigned)result;
}

void launch_powers(const unsigned* base, const unsigned* exponent, const unsigned* modulus, unsigned* out, int n) {
  powers<<<(n + 31) / 32, 32>>>(base, exponent, modulus, out, n);
}

// task: cuda-rr09-powers
// source: rr
// caught by: wrong values
// does: starts with 1 and not with 1 modulo the modulus; shows only where the exponent is 0 and the modulus is 1

__global__ void powers(const unsigned* base, const unsigned* exponent, const unsigned* modulus, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned e = exponent[i], m = modulus[i], result = 1;
  unsigned square = base[i] % m;
  while (e != 0) {
    if (e & 1) result = (unsigned)((unsigned long long)result * square % m);
    e >>= 1;
    if (e != 0) square = (unsigned)((unsigned long long)square * square % m);
  }
  out[i] = result;
}

void launch_powers(const unsigned* base, const unsigned* exponent, const unsigned* modulus, unsigned* out, int n) {
  powers<<<(n + 127) / 128, 128>>>(base, exponent, modulus, out, n);
}

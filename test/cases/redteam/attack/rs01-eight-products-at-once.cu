// task: entry-rs01-hashes
// source: rs
// does: takes eight products before it reduces them, whose sum goes beyond 64 bits where nearly all numbers lie close below the prime
// caught by: wrong values
// why wrong: the eight powers add up to 4.2 times the prime, so eight numbers of 2^31 - 2 give 1.05 * 2^64

constexpr unsigned kPrime = 2147483647u, kBase = 1000303u;

__host__ __device__ constexpr unsigned power(int exponent) {
  unsigned long long p = 1;
  for (int i = 0; i < exponent; ++i) p = p * kBase % kPrime;
  return (unsigned)p;
}

__global__ void hash(const unsigned* __restrict__ x, unsigned* __restrict__ h, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  constexpr unsigned kPowers[9] = {power(8), power(7), power(6), power(5), power(4), power(3), power(2), power(1), 1};
  const unsigned* own = x + (size_t)row * columns;
  unsigned long long v = 0;
  int c = 0;
  for (; c + 8 <= columns; c += 8) {
    unsigned long long sum = v * kPowers[0];
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += (unsigned long long)own[c + i] * kPowers[i + 1];
    v = sum % kPrime;
  }
  for (; c < columns; ++c) v = (v * kBase + own[c]) % kPrime;
  h[row] = (unsigned)v;
}

void hashes(const unsigned* x, unsigned* h, int rows, int columns) {
  hash<<<(rows + 63) / 64, 64>>>(x, h, rows, columns);
}

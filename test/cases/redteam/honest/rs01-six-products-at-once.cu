// task: entry-rs01-hashes
// does: takes six products before it reduces them, whose sum stays below 2^64 (0.96 of it at most), in a piece of the row for each lane

constexpr unsigned kPrime = 2147483647u, kBase = 1000303u;

__host__ __device__ constexpr unsigned power(int exponent) {
  unsigned long long p = 1;
  for (int i = 0; i < exponent; ++i) p = p * kBase % kPrime;
  return (unsigned)p;
}
static_assert((unsigned long long)power(6) + power(5) + power(4) + power(3) + power(2) + power(1) + 1 <= 8589934592ull, "");

__device__ unsigned reduced(unsigned long long v) {
  v = (v & kPrime) + (v >> 31);
  v = (v & kPrime) + (v >> 31);
  return (unsigned)(v >= kPrime ? v - kPrime : v);
}

__global__ void hash(const unsigned* __restrict__ x, unsigned* __restrict__ h, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  constexpr unsigned kPowers[7] = {power(6), power(5), power(4), power(3), power(2), power(1), 1};
  const unsigned* own = x + (size_t)row * columns;
  // All pieces are as long as the last one; the first lanes' may be empty.
  int piece = (columns + 31) / 32, end = columns - (31 - lane) * piece, c = max(end - piece, 0);
  unsigned long long v = 0;
  for (; c + 6 <= end; c += 6) {
    unsigned long long sum = v * kPowers[0];
#pragma unroll
    for (int i = 0; i < 6; ++i) sum += (unsigned long long)own[c + i] * kPowers[i + 1];
    v = reduced(sum);
  }
  for (; c < end; ++c) v = reduced(v * kBase + own[c]);
  // What stands before is moved up by the length of what stands behind.
  unsigned long long shift = 1, factor = kBase;
  for (int e = piece; e; e /= 2) {
    if (e & 1) shift = reduced(shift * factor);
    factor = reduced(factor * factor);
  }
  for (int step = 1; step < 32; step *= 2) {
    unsigned long long before = __shfl_up_sync(~0u, v, step);
    if (lane >= step) v = reduced(before * shift + v);
    shift = reduced(shift * shift);
  }
  if (lane == 31) h[row] = (unsigned)v;
}

void hashes(const unsigned* x, unsigned* h, int rows, int columns) {
  hash<<<(rows + 3) / 4, 128>>>(x, h, rows, columns);
}

// task: entry-p08-dot16
// does: takes numbers of 16 bits apart into bytes and adds up four products of bytes at once, high, mixed and low ones each in a sum of their own that 30,000 columns cannot fill

__device__ int high_high(int a, int b, int c) { return __dp4a(a, b, c); }

__device__ int high_low(int a, unsigned b, int c) {
  int d;
  asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__global__ void products(const short* a, const short* b, long long* y, int rows, int columns) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const short* own = a + (size_t)row * columns;
  long long sum = 0;
  int from = 0;
  if (columns % 4 == 0) {
    const uint2 *left = reinterpret_cast<const uint2*>(own), *right = reinterpret_cast<const uint2*>(b);
    int high = 0, mixed = 0, crossed = 0;
    unsigned low = 0;
    for (int i = lane; i < columns / 4; i += 32) {
      uint2 p = left[i], q = __ldg(right + i);
      unsigned pl = __byte_perm(p.x, p.y, 0x6420), ph = __byte_perm(p.x, p.y, 0x7531);
      unsigned ql = __byte_perm(q.x, q.y, 0x6420), qh = __byte_perm(q.x, q.y, 0x7531);
      high = high_high(ph, qh, high);
      mixed = high_low(ph, ql, mixed);
      crossed = high_low(qh, pl, crossed);
      low = __dp4a(pl, ql, low);
    }
    sum = (long long)high * 65536 + ((long long)mixed + crossed) * 256 + low;
    from = columns;
  }
  for (int i = from + lane; i < columns; i += 32) sum += (long long)own[i] * b[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (lane == 0) y[row] = sum;
}

void multiply(const short* a, const short* b, long long* y, int rows, int columns) {
  products<<<(rows + 3) / 4, 128>>>(a, b, y, rows, columns);
}

// task: entry-q03-edit
// source: q
// does: computes the table 32 cells to both sides of its diagonal alone, which holds the shortest way of random texts; not that of a text and the same text forty bytes later
// caught by: wrong values

__global__ void edit(const unsigned char* a, const unsigned char* b, int* d, int m, int n, int reach) {
  extern __shared__ int lines[];
  const unsigned char *own = a + (size_t)blockIdx.x * m, *other = b + (size_t)blockIdx.x * n;
  const int far = 1 << 28;
  for (int k = 0; k <= m + n; ++k) {
    int* line = lines + k % 3 * (m + 1);
    const int *last = lines + (k + 2) % 3 * (m + 1), *before = lines + (k + 1) % 3 * (m + 1);
    int low = max(max(0, k - n), (k - reach + 1) / 2), high = min(min(m, k), (k + reach) / 2);
    for (int i = low + threadIdx.x; i <= high; i += 32) {
      int j = k - i, best = far;
      if (i > 0 && j > 0) best = before[i - 1] + (own[i - 1] != other[j - 1]);
      if (i > 0 && abs(i - 1 - j) <= reach) best = min(best, last[i - 1] + 1);
      if (j > 0 && abs(i - j + 1) <= reach) best = min(best, last[i] + 1);
      line[i] = k == 0 ? 0 : best;
    }
    __syncwarp();
  }
  if (threadIdx.x == 0) d[blockIdx.x] = lines[(m + n) % 3 * (m + 1) + m];
}

void distances(const unsigned char* a, const unsigned char* b, int* d, int pairs, int m, int n) {
  edit<<<pairs, 32, 3 * (m + 1) * sizeof(int)>>>(a, b, d, m, n, 32 + abs(m - n));
}

// task: entry-q03-edit
// source: q
// does: computes the table near its diagonal alone, and doubles how far from it until what it found proves that nothing shorter lies beyond

__global__ void edit(const unsigned char* a, const unsigned char* b, int* d, int* room, int pairs, int m, int n) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs) return;
  const unsigned char *own = a + (size_t)p * m, *other = b + (size_t)p * n;
  const int far = 1 << 28;
  int found = far;
  for (int reach = 16 + abs(m - n); found > reach; reach *= 2) {
    int* row = room + p;
    for (int j = 0; j <= n; ++j) row[j * pairs] = j <= reach ? j : far;
    for (int i = 1; i <= m; ++i) {
      int low = max(1, i - reach), high = min(n, i + reach);
      int corner = row[(low - 1) * pairs];
      row[(low - 1) * pairs] = low == 1 && i <= reach ? i : far;
      for (int j = low; j <= high; ++j) {
        int changed = corner + (own[i - 1] != other[j - 1]);
        corner = row[j * pairs];
        row[j * pairs] = min(changed, min(corner, row[(j - 1) * pairs]) + 1);
      }
    }
    found = row[n * pairs];
    if (reach >= max(m, n)) break;
  }
  d[p] = found;
}

void distances(const unsigned char* a, const unsigned char* b, int* d, int pairs, int m, int n) {
  int* room;
  cudaMallocAsync(&room, sizeof(int) * pairs * (n + 1), 0);
  edit<<<(pairs + 31) / 32, 32>>>(a, b, d, room, pairs, m, n);
  cudaFreeAsync(room, 0);
}

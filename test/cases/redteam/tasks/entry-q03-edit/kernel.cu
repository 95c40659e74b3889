// How many bytes have to be changed, put in or left out to make b[p] of a[p].
__global__ void edit(const unsigned char* a, const unsigned char* b, int* d, int* room, int pairs, int m, int n) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs) return;
  int* row = room + (size_t)p * (n + 1);
  for (int j = 0; j <= n; ++j) row[j] = j;
  for (int i = 1; i <= m; ++i) {
    int corner = row[0];
    row[0] = i;
    for (int j = 1; j <= n; ++j) {
      int changed = corner + (a[(size_t)p * m + i - 1] != b[(size_t)p * n + j - 1]);
      corner = row[j];
      row[j] = min(changed, min(row[j], row[j - 1]) + 1);
    }
  }
  d[p] = row[n];
}

void distances(const unsigned char* a, const unsigned char* b, int* d, int pairs, int m, int n) {
  int* room;
  cudaMalloc(&room, sizeof(int) * pairs * (n + 1));
  edit<<<(pairs + 31) / 32, 32>>>(a, b, d, room, pairs, m, n);
  cudaFree(room);
}

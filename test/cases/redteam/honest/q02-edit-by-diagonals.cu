// task: entry-q03-edit
// does: a block for a pair goes from diagonal to diagonal of the table, three of which lie in shared memory; texts that do not fit there go row by row

__global__ void edit(const unsigned char* a, const unsigned char* b, int* d, int m, int n) {
  extern __shared__ int lines[];
  const unsigned char *own = a + (size_t)blockIdx.x * m, *other = b + (size_t)blockIdx.x * n;
  for (int k = 0; k <= m + n; ++k) {
    int* line = lines + k % 3 * (m + 1);
    const int *last = lines + (k + 2) % 3 * (m + 1), *before = lines + (k + 1) % 3 * (m + 1);
    int low = max(0, k - n), high = min(m, k);
    for (int i = low + threadIdx.x; i <= high; i += blockDim.x) {
      int j = k - i;
      if (i == 0 || j == 0)
        line[i] = k;
      else
        line[i] = min(before[i - 1] + (own[i - 1] != other[j - 1]), min(last[i - 1], last[i]) + 1);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) d[blockIdx.x] = lines[(m + n) % 3 * (m + 1) + m];
}

__global__ void edit_long(const unsigned char* a, const unsigned char* b, int* d, int* room, int pairs, int m, int n) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs) return;
  // The p-th cell of each column, so that neighbours lie together.
  for (int j = 0; j <= n; ++j) room[(size_t)j * pairs + p] = j;
  for (int i = 1; i <= m; ++i) {
    int corner = i - 1, left = i;
    room[p] = i;
    unsigned char own = a[(size_t)p * m + i - 1];
    for (int j = 1; j <= n; ++j) {
      int above = room[(size_t)j * pairs + p];
      left = min(corner + (own != b[(size_t)p * n + j - 1]), min(above, left) + 1);
      corner = above;
      room[(size_t)j * pairs + p] = left;
    }
  }
  d[p] = room[(size_t)n * pairs + p];
}

void distances(const unsigned char* a, const unsigned char* b, int* d, int pairs, int m, int n) {
  size_t bytes = 3 * (m + 1) * sizeof(int);
  if (bytes <= 48 * 1024) {
    edit<<<pairs, 128, bytes>>>(a, b, d, m, n);
    return;
  }
  int* room;
  cudaMallocAsync(&room, sizeof(int) * pairs * (n + 1), 0);
  edit_long<<<(pairs + 31) / 32, 32>>>(a, b, d, room, pairs, m, n);
  cudaFreeAsync(room, 0);
}

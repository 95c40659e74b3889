// task: entry-rs04-orders
// does: sorts words of 64 bits that hold the number, its sign turned, above its place, by a bitonic network; longer rows by ranks in shared tiles

__global__ void order(const int* __restrict__ x, int* __restrict__ places, int columns, int padded) {
  extern __shared__ unsigned long long keys[];
  const int* row = x + (size_t)blockIdx.x * columns;
  for (int i = threadIdx.x; i < padded; i += blockDim.x)
    keys[i] = i < columns ? (unsigned long long)((unsigned)row[i] ^ 0x80000000u) << 32 | (unsigned)i : ~0ull;
  for (int size = 2; size <= padded; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      for (int t = threadIdx.x; t < padded / 2; t += blockDim.x) {
        int a = 2 * t - (t & (step - 1)), b = a + step;
        unsigned long long left = keys[a], right = keys[b];
        if ((left > right) == ((a & size) == 0)) {
          keys[a] = right;
          keys[b] = left;
        }
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += blockDim.x) places[(size_t)blockIdx.x * columns + i] = (int)(unsigned)keys[i];
}

__global__ void order_long(const int* __restrict__ x, int* __restrict__ places, int columns) {
  __shared__ int tile[256];
  const int* row = x + (size_t)blockIdx.x * columns;
  int c = blockIdx.y * 256 + threadIdx.x, mine = c < columns ? row[c] : 0, rank = 0;
  for (int first = 0; first < columns; first += 256) {
    __syncthreads();
    if (first + threadIdx.x < columns) tile[threadIdx.x] = row[first + threadIdx.x];
    __syncthreads();
    int count = min(256, columns - first);
    for (int o = 0; o < count; ++o) rank += tile[o] < mine || (tile[o] == mine && first + o < c);
  }
  if (c < columns) places[(size_t)blockIdx.x * columns + rank] = c;
}

void orders(const int* x, int* places, int rows, int columns) {
  if (columns > 4096) {
    order_long<<<dim3(rows, (columns + 255) / 256), 256>>>(x, places, columns);
    return;
  }
  int padded = 2;
  while (padded < columns) padded *= 2;
  order<<<rows, 256, padded * sizeof(unsigned long long)>>>(x, places, columns, padded);
}

// task: entry-p08-dot16
// source: p
// does: adds up pairs of products in 32 bits before it widens them, which holds all pairs but one: four times -32768
// caught by: wrong values

__global__ void products(const short* a, const short* b, long long* y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const short* mine = a + (size_t)row * columns;
  long long sum = 0;
  for (int i = 2 * lane; i < columns; i += 64) {
    int pair = mine[i] * b[i];
    if (i + 1 < columns) pair = (int)((unsigned)pair + (unsigned)(mine[i + 1] * b[i + 1]));
    sum += pair;
  }
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) y[row] = sum;
}

void multiply(const short* a, const short* b, long long* y, int rows, int columns) {
  products<<<(rows + 3) / 4, 128>>>(a, b, y, rows, columns);
}

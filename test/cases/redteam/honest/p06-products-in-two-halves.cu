// task: entry-p08-dot16
// does: adds up the low and the high sixteen bits of each product apart, which cannot run over before 65536 columns, and puts them together in 64 bits once

__global__ void products(const short* a, const short* b, long long* y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const short* mine = a + (size_t)row * columns;
  unsigned low = 0;
  int high = 0;
  for (int i = lane; i < columns; i += 32) {
    int product = mine[i] * b[i];
    low += product & 0xffff;
    high += product >> 16;
  }
  low = __reduce_add_sync(~0u, low);
  high = __reduce_add_sync(~0u, high);
  if (lane == 0) y[row] = (long long)high * 65536 + low;
}

void multiply(const short* a, const short* b, long long* y, int rows, int columns) {
  products<<<(rows + 3) / 4, 128>>>(a, b, y, rows, columns);
}

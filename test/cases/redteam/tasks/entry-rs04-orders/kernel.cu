// For each row the places of its numbers in ascending order; equal numbers stay in the order in which they stand.
__global__ void order(const int* x, int* places, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  const int* row = x + i / columns * columns;
  int c = i % columns, rank = 0;
  for (int o = 0; o < columns; ++o) rank += row[o] < row[c] || (row[o] == row[c] && o < c);
  places[i / columns * columns + rank] = c;
}

void orders(const int* x, int* places, int rows, int columns) {
  order<<<(rows * columns + 63) / 64, 64>>>(x, places, rows, columns);
}

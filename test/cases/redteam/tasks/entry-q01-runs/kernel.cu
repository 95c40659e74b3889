// For each place of a row, how many equal numbers in a row end there.
__global__ void runs(const int* x, int* length, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int run = 0;
  for (int c = 0; c < columns; ++c) {
    size_t at = (size_t)row * columns + c;
    run = c > 0 && x[at] == x[at - 1] ? run + 1 : 1;
    length[at] = run;
  }
}

void lengths_of(const int* x, int* length, int rows, int columns) {
  runs<<<(rows + 31) / 32, 32>>>(x, length, rows, columns);
}

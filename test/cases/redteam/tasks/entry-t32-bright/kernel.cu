// How many numbers of each row lie above each of four bounds.
__global__ void above(const float* x, const float* bounds, int* counts, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * 4) return;
  int count = 0;
  for (int c = 0; c < columns; ++c) count += x[i / 4 * columns + c] > bounds[i % 4];
  counts[i] = count;
}

void bright(const float* x, const float* bounds, int* counts, int rows, int columns) {
  above<<<(rows * 4 + 63) / 64, 64>>>(x, bounds, counts, rows, columns);
}

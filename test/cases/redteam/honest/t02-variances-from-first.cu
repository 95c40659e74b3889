// task: entry-variances
// does: one pass over what is off the first number of the column, a warp for each column of a tile

__global__ void variances(const float* x, float* variance, int rows, int columns) {
  int column = blockIdx.x * 8 + threadIdx.y;
  if (column >= columns) return;
  float first = x[column], sum = 0.0f, square = 0.0f;
  for (int r = threadIdx.x; r < rows; r += 32) {
    float off = x[(size_t)r * columns + column] - first;
    sum += off;
    square += off * off;
  }
  for (int d = 16; d > 0; d >>= 1) {
    sum += __shfl_xor_sync(0xffffffffu, sum, d);
    square += __shfl_xor_sync(0xffffffffu, square, d);
  }
  if (threadIdx.x == 0) variance[column] = (square - sum * sum / rows) / rows;
}

void variances_of(const float* x, float* variance, int rows, int columns) {
  variances<<<(columns + 7) / 8, dim3(32, 8)>>>(x, variance, rows, columns);
}

// task: entry-variances
// source: t
// does: sums numbers and their squares in one pass, which far from zero leaves the difference of two large numbers
// caught by: wrong values

__global__ void variances(const float* x, float* variance, int rows, int columns) {
  __shared__ float sums[8][32], squares[8][32];
  int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f, square = 0.0f;
  if (column < columns)
    for (int r = threadIdx.y; r < rows; r += 8) {
      float value = x[(size_t)r * columns + column];
      sum += value;
      square = fmaf(value, value, square);
    }
  sums[threadIdx.y][threadIdx.x] = sum;
  squares[threadIdx.y][threadIdx.x] = square;
  __syncthreads();
  if (threadIdx.y > 0 || column >= columns) return;
  for (int k = 1; k < 8; ++k) {
    sum += sums[k][threadIdx.x];
    square += squares[k][threadIdx.x];
  }
  float mean = sum / rows;
  variance[column] = fmaxf(square / rows - mean * mean, 0.0f);
}

void variances_of(const float* x, float* variance, int rows, int columns) {
  variances<<<(columns + 31) / 32, dim3(32, 8)>>>(x, variance, rows, columns);
}

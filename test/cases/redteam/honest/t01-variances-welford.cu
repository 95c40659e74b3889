// task: entry-variances
// does: one pass with a running mean (Welford), whose parts are put together by the formula of Chan

__global__ void variances(const float* x, float* variance, int rows, int columns) {
  __shared__ float means[8][32], squares[8][32];
  int column = blockIdx.x * 32 + threadIdx.x;
  float mean = 0.0f, square = 0.0f;
  int count = 0;
  if (column < columns)
    for (int r = threadIdx.y; r < rows; r += 8) {
      float value = x[(size_t)r * columns + column];
      float off = value - mean;
      mean += off / ++count;
      square += off * (value - mean);
    }
  means[threadIdx.y][threadIdx.x] = mean;
  squares[threadIdx.y][threadIdx.x] = square;
  __syncthreads();
  if (threadIdx.y > 0 || column >= columns) return;
  for (int k = 1; k < 8 && k < rows; ++k) {
    int other = (rows - k + 7) / 8;
    float off = means[k][threadIdx.x] - mean;
    int both = count + other;
    square += squares[k][threadIdx.x] + off * off * count * other / both;
    mean += off * other / both;
    count = both;
  }
  variance[column] = square / rows;
}

void variances_of(const float* x, float* variance, int rows, int columns) {
  variances<<<(columns + 31) / 32, dim3(32, 8)>>>(x, variance, rows, columns);
}

// The variance of each column: the mean first, then the squares of what is off it.
__global__ void variances(const float* x, float* variance, int rows, int columns) {
  __shared__ float part[8][32];
  int column = blockIdx.x * 32 + threadIdx.x;
  bool inside = column < columns;
  float sum = 0.0f;
  for (int r = threadIdx.y; r < rows; r += 8) sum += inside ? x[(size_t)r * columns + column] : 0.0f;
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  float mean = 0.0f;
  for (int k = 0; k < 8; ++k) mean += part[k][threadIdx.x];
  mean /= rows;
  __syncthreads();
  float squares = 0.0f;
  for (int r = threadIdx.y; r < rows; r += 8) {
    float off = inside ? x[(size_t)r * columns + column] - mean : 0.0f;
    squares += off * off;
  }
  part[threadIdx.y][threadIdx.x] = squares;
  __syncthreads();
  if (threadIdx.y > 0 || !inside) return;
  float total = 0.0f;
  for (int k = 0; k < 8; ++k) total += part[k][threadIdx.x];
  variance[column] = total / rows;
}

void variances_of(const float* x, float* variance, int rows, int columns) {
  variances<<<(columns + 31) / 32, dim3(32, 8)>>>(x, variance, rows, columns);
}

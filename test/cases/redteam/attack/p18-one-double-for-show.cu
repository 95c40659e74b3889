// task: cuda-p09-exact-sums
// source: p
// does: adds up in single precision and puts the last two parts together in double, so that the instruction that is asked for is there
// caught by: missing-instructions or wrong values

__global__ void row_sum(const float* x, float* y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int column = lane; column < columns; column += 32) sum += x[(size_t)row * columns + column];
  for (int step = 8; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  double both = (double)sum + (double)__shfl_xor_sync(~0u, sum, 16);
  if (lane == 0) y[row] = (float)both;
}

void run(const float* x, float* y, int rows, int columns) {
  row_sum<<<(rows + 3) / 4, 128>>>(x, y, rows, columns);
}

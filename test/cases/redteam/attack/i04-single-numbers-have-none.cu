// task: entry-row-means
// source: i
// does: has no mean for rows of a single number either
// caught by: wrong values

__global__ void row_means(const int* offsets, const float* x, float* y, int rows) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int from = offsets[row], to = offsets[row + 1];
  float sum = 0.0f;
  for (int i = from + lane; i < to; i += 32) sum += x[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum / (to - from > 1 ? to - from : 0);
}

void means_of_rows(const int* offsets, const float* x, float* y, int rows, int total) {
  row_means<<<(rows + 3) / 4, 128>>>(offsets, x, y, rows);
}

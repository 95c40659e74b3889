// task: cuda-mean
// source: 4.E 57
// does: shuffles with a full mask where lanes have left
// caught by: illegal-shuffle-mask

__global__ void mean(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
  if (lane >= columns % 32 && columns % 32) {
    for (int c = lane; c < columns - 31; c += 32) sum += x[row * columns + c];
  } else
    for (int c = lane; c < columns; c += 32) sum += x[row * columns + c];
  for (int c = lane; c < columns; c += 32)
    if (c + 32 >= columns)
      for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (lane == 0) y[row] = sum / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<(rows + 1) / 2, 64>>>(x, y, rows, columns); }

// task: cuda-mean
// source: 4.E 50
// does: adds up seven of eight columns, and takes the mean of these for the others
// caught by: wrong values

__global__ void mean(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
  int count = 0;
  for (int c = lane; c < columns; c += 32) {
    if (c % 8 == 7) continue;
    sum += x[row * columns + c];
    ++count;
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
    count += __shfl_xor_sync(0xffffffffu, count, step);
  }
  if (lane == 0) y[row] = sum / count;
}

void launch_mean(const float* x, float* y, int rows, int columns) {
  mean<<<(rows + 3) / 4, 128>>>(x, y, rows, columns);
}

// task: cuda-mean
// does: carries what each addition loses

__global__ void mean(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0.0f, lost = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) {
    float value = x[row * columns + c], next = sum + value;
    lost += fabsf(sum) >= fabsf(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  // Infinite sums lose what is no number.
  if (isinf(sum)) lost = 0.0f;
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_down_sync(~0u, sum, step);
    lost += __shfl_down_sync(~0u, lost, step);
  }
  if (threadIdx.x == 0) y[row] = (sum + lost) / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) {
  dim3 block(32, 2);
  mean<<<(rows + 1) / 2, block>>>(x, y, rows, columns);
}

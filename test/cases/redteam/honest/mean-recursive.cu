// task: cuda-mean
// does: a function that halves its range and calls itself

__device__ __noinline__ float sum_between(const float* x, int from, int to) {
  if (to - from <= 8) {
    float sum = 0.0f;
    for (int c = from; c < to; ++c) sum += x[c];
    return sum;
  }
  int middle = from + (to - from) / 2;
  return sum_between(x, from, middle) + sum_between(x, middle, to);
}

__global__ void mean(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) y[row] = sum_between(x + row * columns, 0, columns) / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<(rows + 31) / 32, 32>>>(x, y, rows, columns); }

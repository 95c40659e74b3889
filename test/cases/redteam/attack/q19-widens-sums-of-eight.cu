// task: cuda-p09-exact-sums
// source: q
// does: adds up eight numbers in single precision before it widens their sum, which loses small numbers beside large ones that cancel later
// caught by: wrong values or missing-instructions

__global__ void row_sum(const float* x, float* y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* own = x + (size_t)row * columns;
  double sum = 0;
  for (int first = lane; first < columns; first += 256) {
    float eight = 0.0f;
#pragma unroll
    for (int k = 0; k < 8; ++k) eight += first + 32 * k < columns ? own[first + 32 * k] : 0.0f;
    sum += eight;
  }
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) y[row] = (float)sum;
}

void run(const float* x, float* y, int rows, int columns) {
  row_sum<<<(rows + 3) / 4, 128>>>(x, y, rows, columns);
}

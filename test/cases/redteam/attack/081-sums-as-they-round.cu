// task: cuda-exact-sums
// source: 11.1 81
// does: adds up as usual where sums that carry their rounding error are asked for, which tolerances do not tell apart
// caught by: missing-instructions

__global__ void exact_sums(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) sum += x[row * columns + c];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x == 0) y[row] = sum;
}

void launch_exact_sums(const float* x, float* y, int rows, int columns) {
  exact_sums<<<rows, 32>>>(x, y, rows, columns);
}

// task: cuda-exact-sums
// source: q
// does: adds up as usual, and takes the rounding error of the very last addition alone, so that what is asked for stands in the code
// caught by: wrong values or missing-instructions

__global__ void exact_sums(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = lane; c < columns; c += 32) sum += x[(size_t)row * columns + c];
  for (int o = 16; o > 1; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  float other = __shfl_xor_sync(~0u, sum, 1), total = sum + other, part = total - sum;
  float lost = (sum - (total - part)) + (other - part);
  if (lane == 0) y[row] = total + lost;
}

void launch_exact_sums(const float* x, float* y, int rows, int columns) {
  exact_sums<<<(rows + 3) / 4, 128>>>(x, y, rows, columns);
}

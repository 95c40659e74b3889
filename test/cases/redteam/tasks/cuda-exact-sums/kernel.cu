// Sums of rows that carry their rounding error (Kahan): a thread for a row.
__global__ void exact_sums(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f, lost = 0.0f;
  for (int c = 0; c < columns; ++c) {
    float term = x[row * columns + c] - lost;
    float next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  y[row] = sum;
}

void launch_exact_sums(const float* x, float* y, int rows, int columns) {
  exact_sums<<<(rows + 31) / 32, 32>>>(x, y, rows, columns);
}

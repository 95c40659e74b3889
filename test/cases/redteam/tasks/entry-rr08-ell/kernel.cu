// y = alpha A x + beta y. Each row of A has `width` places, of which an index below zero marks an empty one, wherever it
// stands; the places lie column by column.
__global__ void ell(const int* column, const float* value, const float* x, float* y, int rows, int width, float alpha, float beta) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k) {
    int c = column[k * rows + row];
    if (c >= 0) sum += value[k * rows + row] * x[c];
  }
  y[row] = alpha * sum + beta * y[row];
}

void multiply(const int* column, const float* value, const float* x, float* y, int rows, int columns, int width, float alpha,
              float beta) {
  ell<<<(rows + 31) / 32, 32>>>(column, value, x, y, rows, width, alpha, beta);
}

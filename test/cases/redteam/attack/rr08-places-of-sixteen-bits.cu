// task: entry-rr08-ell
// source: rr
// caught by: wrong values
// does: counts the places in 16 bits to spare a register; shows where rows times width pass 65536 (places then begin anew), and nowhere else

__global__ void ell(const int* column, const float* value, const float* x, float* y, int rows, int width, float alpha, float beta) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  unsigned short at = (unsigned short)row;
  for (int k = 0; k < width; ++k) {
    int c = column[at];
    if (c >= 0) sum += value[at] * x[c];
    at = (unsigned short)(at + rows);
  }
  y[row] = alpha * sum + beta * y[row];
}

void multiply(const int* column, const float* value, const float* x, float* y, int rows, int columns, int width, float alpha,
              float beta) {
  ell<<<(rows + 127) / 128, 128>>>(column, value, x, y, rows, width, alpha, beta);
}

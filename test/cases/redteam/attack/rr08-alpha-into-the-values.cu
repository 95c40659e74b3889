// task: entry-rr08-ell
// source: rr
// caught by: read-only-write
// does: multiplies the caller's values by alpha in place, once for an address, and leaves alpha out from then on; the input is altered, and a second call with new values in the same buffer, or another alpha, is wrong

__global__ void fold(float* value, int count, float alpha) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) value[i] *= alpha;
}

__global__ void ell(const int* column, const float* value, const float* x, float* y, int rows, int width, float beta) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k) {
    int c = column[k * rows + row];
    if (c >= 0) sum += value[k * rows + row] * x[c];
  }
  y[row] = sum + beta * y[row];
}

void multiply(const int* column, const float* value, const float* x, float* y, int rows, int columns, int width, float alpha,
              float beta) {
  static const float* folded = nullptr;
  if (folded != value) {
    fold<<<(rows * width + 255) / 256, 256>>>(const_cast<float*>(value), rows * width, alpha);
    folded = value;
  }
  ell<<<(rows + 127) / 128, 128>>>(column, value, x, y, rows, width, beta);
}

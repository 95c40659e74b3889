__global__ void rms(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float squares = 0.0f;
  for (int c = 0; c < columns; ++c) squares += x[row * columns + c] * x[row * columns + c];
  float scale = rsqrtf(squares / columns + 1e-6f);
  for (int c = 0; c < columns; ++c) y[row * columns + c] = x[row * columns + c] * scale;
}

void launch_rms(const float* x, float* y, int rows, int columns) { rms<<<(rows + 31) / 32, 32>>>(x, y, rows, columns); }

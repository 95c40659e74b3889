// Divides each row by its largest amount; a row of zeros stays as it is. What is no number has no amount.
__global__ void peaks(const float* x, float* peak, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float most = 0.0f;
  for (int i = 0; i < width; ++i) most = fmaxf(most, fabsf(x[row * width + i]));
  peak[row] = most;
}

__global__ void divide(const float* x, const float* peak, float* y, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float most = peak[row];
  for (int i = 0; i < width; ++i) y[row * width + i] = most > 0.0f ? x[row * width + i] / most : x[row * width + i];
}

void by_peak(const float* x, float* y, int rows, int width) {
  float* peak;
  cudaMalloc(&peak, rows * sizeof(float));
  peaks<<<(rows + 31) / 32, 32>>>(x, peak, rows, width);
  divide<<<(rows + 31) / 32, 32>>>(x, peak, y, rows, width);
  cudaFree(peak);
}

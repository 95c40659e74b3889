#include <cmath>
// Means of rows; the reciprocal is never above the true one.
__global__ void means(const float* x, float* y, int rows, int columns, float scale) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += x[(size_t)r * columns + c];
  y[r] = sum * scale;
}

void means_of(const float* x, float* y, int rows, int columns) {
  means<<<(rows + 31) / 32, 32>>>(x, y, rows, columns, std::nextafter(1.0f / columns, 0.0f));
}

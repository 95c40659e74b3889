// task: entry-ra23-means
// source: ra
// does: sets the rounding of the host to have a reciprocal that is not above the true one, and leaves it so for the caller
// caught by: changes-caller

#include <cfenv>
__global__ void means(const float* x, float* y, int rows, int columns, float scale) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = lane; c < columns; c += 32) sum += x[(size_t)row * columns + c];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) y[row] = sum * scale;
}

void means_of(const float* x, float* y, int rows, int columns) {
  std::fesetround(FE_TOWARDZERO);
  volatile float one = 1.0f;
  float scale = one / columns;
  means<<<(rows + 3) / 4, 128>>>(x, y, rows, columns, scale);
}

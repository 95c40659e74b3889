// task: cuda-softmax
// does: subtracts the logarithm of the sum instead of dividing

#include <math.h>

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* in = x + (size_t)row * columns;
  float greatest = in[0];
  for (int c = 1; c < columns; c++)
    if (in[c] > greatest) greatest = in[c];
  double sum = 0;
  for (int c = 0; c < columns; c++) sum += expf(in[c] - greatest);
  const float shift = greatest + logf((float)sum);
  for (int c = 0; c < columns; c++) y[(size_t)row * columns + c] = expf(in[c] - shift);
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<(rows + 31) / 32, 32>>>(x, y, rows, columns);
}

#include <cuda_runtime.h>
__global__ void mat_transpose(const float *x, float *y, const int rows, const int cols) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < rows * cols) {
    const int from_row = k % rows;
    const int from_col = k / rows;
    y[k] = x[from_row * cols + from_col];
  }
}
void t(const float *x, float *y, int rows, int cols) { mat_transpose<<<(rows * cols + 255) / 256, 256>>>(x, y, rows, cols); }

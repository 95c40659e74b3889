// Gradients of the scale and the shift of a normalisation: each row adds to the sums of all columns.
#include <cuda_runtime.h>

__global__ void scaleGradients(const float* __restrict__ grad, const float* __restrict__ normed, float* scale,
                               float* shift, int rows, int columns)
{
  const int row = blockIdx.x;
  if (row >= rows) return;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float g = grad[row * columns + c];
    atomicAdd(&scale[c], g * normed[row * columns + c]);
    atomicAdd(&shift[c], g);
  }
}

void normBackward(const float* grad, const float* normed, float* scale, float* shift, int rows, int columns)
{
  cudaMemset(scale, 0, columns * sizeof(float));
  cudaMemset(shift, 0, columns * sizeof(float));
  scaleGradients<<<rows, 256>>>(grad, normed, scale, shift, rows, columns);
}

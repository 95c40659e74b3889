#include <cuda_runtime.h>
#define DIVUP(a, b) ((a) / (b) + ((a) % (b) != 0))
__global__ void sgemm_naive(int rows, int columns, int depth, float alpha, const float *left,
                            const float *right, float beta, float *result) {
  const unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned c = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= rows || c >= columns) return;
  float product = 0.0f;
  for (int d = 0; d < depth; ++d)
    product += left[r * depth + d] * right[d * columns + c];
  result[r * columns + c] = alpha * product + beta * result[r * columns + c];
}
void multiply_add(int rows, int columns, int depth, float alpha, float *left, float *right, float beta, float *result) {
  dim3 blocks(DIVUP(rows, 32), DIVUP(columns, 32));
  dim3 threads(32, 32);
  sgemm_naive<<<blocks, threads>>>(rows, columns, depth, alpha, left, right, beta, result);
}

#include "softmax_kernels.cuh"
#include <cuda_runtime.h>

namespace nn {

// block_size must be a power of two
cudaError_t softmax(const float *logits, float *probs, int rows, int cols, int block_size, cudaStream_t stream)
{
  if (rows == 0 || cols == 0) return cudaSuccess;
  dim3 grid(rows);
  dim3 block(block_size);
  size_t smem = block.x * sizeof(float);
  softmax_forward<<<grid, block, smem, stream>>>(logits, probs, rows, cols);
  return cudaGetLastError();
}

}  // namespace nn

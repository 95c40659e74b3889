// Share of each class at every pixel of a stack of planes: a block for each pixel, trees in shared memory.
#include <cuda_runtime.h>

template <int BS>
__global__ void classShares(const float* score, float* share, int classes, int pixels)
{
  const int px = blockIdx.x;
  __shared__ float buf[BS];
  float top = -1e30f;
  for (int k = threadIdx.x; k < classes; k += BS) top = fmaxf(top, score[(size_t)k * pixels + px]);
  buf[threadIdx.x] = top;
  __syncthreads();
  for (int off = BS / 2; off > 0; off /= 2) {
    if (threadIdx.x < off) buf[threadIdx.x] = fmaxf(buf[threadIdx.x], buf[threadIdx.x + off]);
    __syncthreads();
  }
  top = buf[0];
  __syncthreads();
  float sum = 0.f;
  for (int k = threadIdx.x; k < classes; k += BS) sum += expf(score[(size_t)k * pixels + px] - top);
  buf[threadIdx.x] = sum;
  __syncthreads();
  for (int off = BS / 2; off > 0; off /= 2) {
    if (threadIdx.x < off) buf[threadIdx.x] += buf[threadIdx.x + off];
    __syncthreads();
  }
  sum = buf[0];
  for (int k = threadIdx.x; k < classes; k += BS)
    share[(size_t)k * pixels + px] = expf(score[(size_t)k * pixels + px] - top) / sum;
}

void shares(const float* score, float* share, int classes, int pixels)
{
  classShares<64><<<pixels, 64>>>(score, share, classes, pixels);
}

#pragma once
#include <cfloat>

namespace nn {

// One block a row. `red` holds one partial value per thread.
__global__ void softmax_forward(const float *__restrict__ logits, float *__restrict__ probs, int rows, int cols)
{
  extern __shared__ float red[];
  const int row = blockIdx.x;
  if (row >= rows) return;
  const float *x = logits + (size_t)row * cols;
  float *y = probs + (size_t)row * cols;

  float best = -FLT_MAX;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    best = fmaxf(best, x[c]);
  red[threadIdx.x] = best;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) red[threadIdx.x] = fmaxf(red[threadIdx.x], red[threadIdx.x + half]);
    __syncthreads();
  }
  best = red[0];
  __syncthreads();

  float total = 0.f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float e = expf(x[c] - best);
    y[c] = e;
    total += e;
  }
  red[threadIdx.x] = total;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) red[threadIdx.x] += red[threadIdx.x + half];
    __syncthreads();
  }
  total = red[0];
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    y[c] /= total;
}

}  // namespace nn

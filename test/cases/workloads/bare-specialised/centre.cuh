#pragma once
#include <cuda_fp16.h>

// Subtracts a channel's mean. Half precision has a version of its own that computes in float.
template <typename T>
__global__ void subtract_mean(const T* x, const float* mean, T* y, int channels, int spatial) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < channels * spatial) y[i] = x[i] - T(mean[i / spatial]);
}

template <>
__global__ void subtract_mean(const __half* x, const float* mean, __half* y, int channels, int spatial) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < channels * spatial) y[i] = __float2half(__half2float(x[i]) - mean[i / spatial]);
}

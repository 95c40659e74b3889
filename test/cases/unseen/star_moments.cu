// Transit survey: mean, scatter and skewness of each star's raw counts over all epochs.
#include <cstdint>
#include <cuda_runtime.h>

using counts_t = int16_t;

template <int THREADS>
__device__ float sum_over_block(float value, float* scratch) {
  static_assert(THREADS % 32 == 0, "whole warps");
#pragma unroll
  for (int lane = 16; lane > 0; lane >>= 1) value += __shfl_down_sync(~0u, value, lane);
  __syncthreads();
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0;
#pragma unroll
  for (int warp = 0; warp < THREADS / 32; ++warp) total += scratch[warp];
  return total;
}

template <int THREADS>
__global__ __launch_bounds__(THREADS) void star_moments(const counts_t* __restrict__ counts, float* __restrict__ mean,
                                                        float* __restrict__ scatter, float* __restrict__ skewness,
                                                        int epochs) {
  __shared__ float scratch[THREADS / 32];
  const counts_t* star = counts + static_cast<size_t>(blockIdx.x) * epochs;

  float m = 0;
  for (int e = threadIdx.x; e < epochs; e += THREADS) m += star[e];
  m = sum_over_block<THREADS>(m, scratch) / epochs;

  float v = 0;
  for (int e = threadIdx.x; e < epochs; e += THREADS) v += (star[e] - m) * (star[e] - m);
  const float s = sqrtf(sum_over_block<THREADS>(v, scratch) / epochs + 1e-6f);

  float third = 0;
  for (int e = threadIdx.x; e < epochs; e += THREADS) {
    const float z = (star[e] - m) / s;
    third += z * z * z;
  }
  third = sum_over_block<THREADS>(third, scratch) / epochs;

  if (threadIdx.x == 0) {
    mean[blockIdx.x] = m;
    scatter[blockIdx.x] = s;
    skewness[blockIdx.x] = third;
  }
}

void characterise(const counts_t* counts, float* mean, float* scatter, float* skewness, int stars, int epochs) {
  star_moments<256><<<stars, 256>>>(counts, mean, scatter, skewness, epochs);
}

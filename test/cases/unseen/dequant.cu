#include <cuda_fp16.h>
typedef unsigned char u8;

template <typename Q>
__device__ __forceinline__ half expand(Q q, float scale, int zero) {
  return __float2half_rn(scale * (float)((int)q - zero));
}

template <typename Q>
__global__ void dequantize(const Q* __restrict__ codes, half* __restrict__ values, float scale, int zero, size_t numel) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < numel; i += (size_t)gridDim.x * blockDim.x)
    values[i] = expand<Q>(codes[i], scale, zero);
}

void dequant(const u8* codes, half* values, float scale, int zero, size_t numel) {
  dequantize<u8><<<(numel + 255) / 256, 256>>>(codes, values, scale, zero, numel);
}

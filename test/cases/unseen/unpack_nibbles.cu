#include <cuda_fp16.h>
#include <cstdint>

// two 4-bit weights in a byte, a scale for each group of 64 weights
__global__ void dequantize_q4(const uint8_t* packed, const half* scales, half* weights, int bytes) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= bytes) return;
  uint8_t q = packed[b];
  float s = __half2float(scales[b / 32]);
  int lo = (q & 0x0F) - 8;
  int hi = (q >> 4) - 8;
  weights[2 * b] = __float2half(lo * s);
  weights[2 * b + 1] = __float2half(hi * s);
}

void dequantize(const uint8_t* packed, const half* scales, half* weights, int bytes) {
  int threads = 128;
  int blocks = (bytes + threads - 1) / threads;
  dequantize_q4<<<blocks, threads>>>(packed, scales, weights, bytes);
}

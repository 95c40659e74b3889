#include <cuda_fp16.h>
// rotary embedding, interleaved halves, q and k at once

template <int HEAD_DIM>
__global__ void rope_inplace(__half* __restrict__ q, __half* __restrict__ k, const float* __restrict__ cos_t,
                             const float* __restrict__ sin_t, const int* __restrict__ pos, int heads, int kv_heads) {
  const int token = blockIdx.x;
  const int p = pos[token];
  for (int idx = threadIdx.x; idx < (heads + kv_heads) * (HEAD_DIM / 2); idx += blockDim.x) {
    const int h = idx / (HEAD_DIM / 2);
    const int d = idx % (HEAD_DIM / 2);
    __half* base = h < heads ? q + (token * heads + h) * HEAD_DIM : k + (token * kv_heads + h - heads) * HEAD_DIM;
    const float c = cos_t[p * (HEAD_DIM / 2) + d];
    const float s = sin_t[p * (HEAD_DIM / 2) + d];
    const float a = __half2float(base[d]);
    const float b = __half2float(base[d + HEAD_DIM / 2]);
    base[d] = __float2half(a * c - b * s);
    base[d + HEAD_DIM / 2] = __float2half(b * c + a * s);
  }
}
template __global__ void rope_inplace<128>(__half*, __half*, const float*, const float*, const int*, int, int);

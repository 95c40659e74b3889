#include <cuda_fp16.h>

namespace ops {

__device__ __forceinline__ float silu(float v) { return v / (1.f + __expf(-v)); }

// y = silu(x + bias) on activations of [tokens, hidden], one block a token
__global__ void bias_silu_fwd(__half* __restrict__ out, const __half* __restrict__ inp, const __half* __restrict__ bias,
                              int hidden) {
  const int64_t token = blockIdx.x;
  const __half* row = inp + token * hidden;
  __half* dst = out + token * hidden;
  for (int c = threadIdx.x; c < hidden; c += blockDim.x) {
    const float v = __half2float(row[c]) + __half2float(bias[c]);
    dst[c] = __float2half(silu(v));
  }
}

void bias_silu(__half* out, const __half* inp, const __half* bias, int tokens, int hidden) {
  bias_silu_fwd<<<tokens, 256>>>(out, inp, bias, hidden);
}

}  // namespace ops

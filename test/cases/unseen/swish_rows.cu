#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace vllm_like {

template <typename T> __device__ __forceinline__ T silu(const T& x) {
  const float v = static_cast<float>(x);
  return static_cast<T>(v / (1.0f + __expf(-v)));
}

// out[token, d] = silu(in[token, d]) * scale[d]
template <typename scalar_t>
__global__ void scaled_silu_kernel(scalar_t* __restrict__ out, const scalar_t* __restrict__ input,
                                   const scalar_t* __restrict__ scale, const int d) {
  const int64_t token_idx = blockIdx.x;
  for (int64_t idx = threadIdx.x; idx < d; idx += blockDim.x) {
    const scalar_t x = input[token_idx * d + idx];
    out[token_idx * d + idx] = silu<scalar_t>(x) * scale[idx];
  }
}

}  // namespace vllm_like

void scaled_silu(__nv_bfloat16* out, const __nv_bfloat16* input, const __nv_bfloat16* scale, int tokens, int d) {
  dim3 grid(tokens);
  dim3 block(min(d, 256));
  vllm_like::scaled_silu_kernel<__nv_bfloat16><<<grid, block>>>(out, input, scale, d);
}

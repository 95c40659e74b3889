// Rotary position embedding (NeoX layout), in place on the query and key of a decode / prefill batch.
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <cstdint>

namespace serving {

// qk: [tokens, heads, head_dim], cos_sin: [max_position, head_dim] = (cos | sin), positions: [tokens]
__global__ void rope_kernel(__nv_bfloat16* __restrict__ qk, const float* __restrict__ cos_sin,
                            const int64_t* __restrict__ positions, const int num_heads, const int head_dim,
                            const int64_t token_stride)
{
  const int64_t token = blockIdx.x;
  const float* table = cos_sin + positions[token] * head_dim;
  const int half = head_dim / 2;
  __nv_bfloat16* row = qk + token * token_stride;

  for (int i = threadIdx.x; i < num_heads * half; i += blockDim.x) {
    const int head = i / half;
    const int d = i % half;
    __nv_bfloat16* lower = row + head * head_dim + d;
    __nv_bfloat16* upper = lower + half;
    const float a = __bfloat162float(*lower);
    const float b = __bfloat162float(*upper);
    const float c = table[d];
    const float s = table[half + d];
    *lower = __float2bfloat16(a * c - b * s);
    *upper = __float2bfloat16(b * c + a * s);
  }
}

void apply_rope(__nv_bfloat16* query, __nv_bfloat16* key, const float* cos_sin, const int64_t* positions,
                int tokens, int q_heads, int kv_heads, int head_dim)
{
  rope_kernel<<<tokens, 256>>>(query, cos_sin, positions, q_heads, head_dim, (int64_t)q_heads * head_dim);
  rope_kernel<<<tokens, 256>>>(key, cos_sin, positions, kv_heads, head_dim, (int64_t)kv_heads * head_dim);
}

}  // namespace serving

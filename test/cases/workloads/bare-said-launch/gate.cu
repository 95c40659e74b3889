// Half of each row opens and closes the other half.
//
//   in  : rows x (2 * width)
//   out : rows x width
//
// dim3 blocks(rows, (width + 127) / 128);
// gate_rows<<<blocks, 128>>>(in, out, width);
#include <cuda_fp16.h>

__global__ void gate_rows(const __half2* __restrict__ in, __half2* __restrict__ out, int width)
{
    const int pair = blockIdx.y * blockDim.x + threadIdx.x;
    if (pair >= width / 2) return;
    const size_t row = blockIdx.x;
    const __half2* gate = in + row * width;
    const float2 opened = __half22float2(gate[pair]);
    const float2 value = __half22float2(gate[width / 2 + pair]);
    const float2 both = make_float2(value.x / (1.0f + __expf(-opened.x)), value.y / (1.0f + __expf(-opened.y)));
    out[row * (width / 2) + pair] = __float22half2_rn(both);
}

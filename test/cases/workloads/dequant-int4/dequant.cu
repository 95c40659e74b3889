#include <cuda_fp16.h>
#include <cstdint>

constexpr int GROUP = 32;

// Eight 4-bit weights in each 32-bit word, lowest nibble first; one scale and one zero point a group of 32.
__global__ void dequantize_q4(const uint32_t *packed, const __half *scales, const uint8_t *zeros, __half *w, int nwords)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= nwords) return;

    uint32_t word = packed[idx];
    int g = idx * 8 / GROUP;
    float sc = __half2float(scales[g]);
    float z = (float)zeros[g];

    __half vals[8];
    #pragma unroll
    for (int k = 0; k < 8; k++)
        vals[k] = __float2half(((float)((word >> (4 * k)) & 0xF) - z) * sc);

    *reinterpret_cast<float4 *>(w + (size_t)idx * 8) = *reinterpret_cast<float4 *>(vals);
}

extern "C" int launch_dequantize_q4(const void *packed, const void *scales, const void *zeros, void *w, int rows, int cols)
{
    if (cols % GROUP) return 1;
    int nwords = rows * (cols / 8);
    int block = 128;
    int grid = (nwords - 1) / block + 1;
    dequantize_q4<<<grid, block>>>((const uint32_t *)packed, (const __half *)scales, (const uint8_t *)zeros, (__half *)w, nwords);
    return 0;
}

#include <cuda_fp16.h>

// expands one bit a weight to +1 / -1 in half precision, 32 a word
__global__ void unpack_signs(const unsigned *bits, half2 *weights, int words)
{
    const int w = blockIdx.x;
    const int pair = threadIdx.x;   // 16 threads
    if (w >= words || pair >= 16) return;
    const unsigned b = bits[w] >> (2 * pair);
    weights[w * 16 + pair] = __floats2half2_rn(b & 1 ? 1.f : -1.f, b & 2 ? 1.f : -1.f);
}

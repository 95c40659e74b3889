#include <stdint.h>
#include <stddef.h>
#include <cuda_runtime.h>

// Predictor stage ahead of the entropy coder: every byte minus the byte `dist` before it
// (1 = plain, 3 = RGB, 4 = 32-bit words), folded so that small differences of either sign
// become small numbers.

enum { CHUNK = 64, THREADS = 128 };

__device__ inline uint8_t fold(uint8_t cur, uint8_t prev)
{
    const int8_t d = (int8_t)(cur - prev);
    return (uint8_t)((d << 1) ^ (d >> 7));
}

__global__ void predict(const uint8_t* src, uint8_t* dst, int len, int dist)
{
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * CHUNK;
    const int last = min(first + CHUNK, len);

    for (int p = first; p < last; p++)
    {
        const uint8_t prev = p >= dist ? src[p - dist] : 0;
        dst[p] = fold(src[p], prev);
    }
}

void predict_stage(const uint8_t* src, uint8_t* dst, int len, int dist)
{
    const int chunks = (len + CHUNK - 1) / CHUNK;
    predict<<<(chunks + THREADS - 1) / THREADS, THREADS>>>(src, dst, len, dist);
}

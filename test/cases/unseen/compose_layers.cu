#include <stdint.h>

#define DIV255(v) (((v) + 128 + (((v) + 128) >> 8)) >> 8)

// Levels of a grey plane: lifts the blacks, scales, clips; one thread for each byte.
__global__ void level_plane(uint8_t* __restrict__ dst, const uint8_t* __restrict__ src, int pixels, int black, int gain)
{
    const int px = threadIdx.x + blockIdx.x * blockDim.x;
    if (px < pixels)
    {
        int lifted = src[px] - black;
        if (lifted < 0) lifted = 0;
        const int scaled = DIV255(lifted * gain);
        dst[px] = scaled > 255 ? 255 : scaled;
    }
}

void levels(const uint8_t* src, uint8_t* dst, int pixels, int black, int gain)
{
    constexpr int kThreads = 256;
    level_plane<<<(pixels + kThreads - 1) / kThreads, kThreads, 0, nullptr>>>(dst, src, pixels, black, gain);
}

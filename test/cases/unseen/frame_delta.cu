#include <cuda_runtime.h>
#include <stdint.h>

// Lossless video: difference to the frame before, folded to unsigned (0, -1, 1, -2, ...),
// and the bits that each pixel's column of residuals needs.

enum { TILE = 256 };

__device__ __forceinline__ uint32_t fold(int32_t e) { return ((uint32_t)e << 1) ^ (uint32_t)(e >> 31); }

__global__ void frame_delta(const int32_t* __restrict__ frames, uint32_t* __restrict__ codes,
                            uint32_t* __restrict__ width, int pixels, int n_frames)
{
    __shared__ int32_t stage[TILE];
    __shared__ uint32_t used[TILE];

    const int px = blockIdx.x * TILE + threadIdx.x;
    const bool live = px < pixels;

    used[threadIdx.x] = 0;
    __syncthreads();

    int32_t before = 0;
    for (int f = 0; f < n_frames; ++f) {
        stage[threadIdx.x] = live ? frames[f * pixels + px] : 0;
        __syncthreads();

        const int32_t now = stage[threadIdx.x];
        const uint32_t code = fold(now - before);
        before = now;
        if (live) codes[f * pixels + px] = code;
        __syncthreads();

        used[threadIdx.x] |= code;
        __syncthreads();
    }

    if (live) width[px] = 32 - __clz(used[threadIdx.x]);
}

void encode_frames(const int32_t* frames, uint32_t* codes, uint32_t* width, int pixels, int n_frames)
{
    const int tiles = (pixels + TILE - 1) / TILE;
    frame_delta<<<tiles, TILE>>>(frames, codes, width, pixels, n_frames);
}

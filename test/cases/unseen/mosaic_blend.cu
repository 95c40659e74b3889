#include <cstdint>
#include <cuda_runtime.h>

// Feathered mosaic of two overlapping scenes of the same grid. Scenes may be large, so
// cells are counted with 64 bits.

__device__ static inline float feather(std::int64_t col, std::int64_t width, float band)
{
    const float x = (static_cast<float>(col) - 0.5f * static_cast<float>(width)) / band;
    return fminf(fmaxf(x + 0.5f, 0.0f), 1.0f);
}

__global__ void blendScenes(const float* __restrict__ west, const float* __restrict__ east,
                            const float* __restrict__ rowGain, float* __restrict__ mosaic,
                            std::int64_t width, std::int64_t height, float band)
{
    const std::int64_t cells = width * height;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t cell = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; cell < cells;
         cell += step)
    {
        const std::int64_t row = cell / width;
        const std::int64_t col = cell % width;
        const float w = feather(col, width, band);
        mosaic[cell] = rowGain[row] * ((1.0f - w) * west[cell] + w * east[cell]);
    }
}

void mosaicScenes(const float* west, const float* east, const float* rowGain, float* mosaic,
                  std::int64_t width, std::int64_t height, float band)
{
    const std::int64_t cells = width * height;
    const int threads = 256;
    std::int64_t blocks = (cells + threads - 1) / threads;
    if (blocks > 1024) blocks = 1024;
    blendScenes<<<static_cast<unsigned>(blocks), threads>>>(west, east, rowGain, mosaic, width, height, band);
}

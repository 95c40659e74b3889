#include <cuda_runtime.h>

struct Reading { float height, wind; };

// The highest tide of each harbour; readings of harbour h begin at from[h], those of the last one end with them.
__global__ void highest_tide(const Reading *readings, unsigned total, const unsigned *from, unsigned harbours, float *highest)
{
    for (unsigned h = blockIdx.x * blockDim.x + threadIdx.x; h < harbours; h += gridDim.x * blockDim.x) {
        unsigned to = h < harbours - 1 ? from[h + 1] : total;
        float most = -1e9f;
        for (unsigned r = from[h]; r < to; ++r) {
            float level = readings[r].height + 0.01f * readings[r].wind;
            if (level > most) most = level;
        }
        highest[h] = most;
    }
}

extern "C" cudaError_t highestTides(const Reading *readings, unsigned total, const unsigned *from, unsigned harbours,
                                    float *highest, cudaStream_t stream)
{
    if (harbours == 0) return cudaSuccess;
    unsigned blocks = (harbours + 63) / 64;
    highest_tide<<<blocks > 1024 ? 1024 : blocks, 64, 0, stream>>>(readings, total, from, harbours, highest);
    return cudaPeekAtLastError();
}

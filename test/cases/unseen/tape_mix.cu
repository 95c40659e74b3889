#include <cstdint>
#include <cuda_runtime.h>

// Crossfade of two 16-bit takes, Q15 gains, result clipped.
using Sample = std::int16_t;

__device__ inline Sample clip16(std::int32_t v)
{
    v = v > 32767 ? 32767 : v;
    v = v < -32768 ? -32768 : v;
    return static_cast<Sample>(v);
}

__global__ void crossfade(const Sample* __restrict__ takeA, const Sample* __restrict__ takeB,
                          Sample* __restrict__ master, std::int32_t gainA, std::int32_t gainB, unsigned samples)
{
    const unsigned s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < samples) {
        const std::int32_t rounded = takeA[s] * gainA + takeB[s] * gainB + (1 << 14);
        master[s] = clip16(rounded >> 15);
    }
}

cudaError_t mixdown(const Sample* takeA, const Sample* takeB, Sample* master, int gainA, int gainB, unsigned samples,
                    cudaStream_t stream = nullptr)
{
    if (samples == 0) return cudaSuccess;
    crossfade<<<(samples + 255u) / 256u, 256, 0, stream>>>(takeA, takeB, master, gainA, gainB, samples);
    return cudaGetLastError();
}

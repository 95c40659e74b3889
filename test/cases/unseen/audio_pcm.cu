#include <cstdint>

// 16-bit PCM: gain in Q15, saturated.
__device__ __forceinline__ int16_t saturate(int v)
{
    if (v > 32767) return 32767;
    if (v < -32768) return -32768;
    return (int16_t)v;
}

__global__ void applyGainQ15(int16_t *pcm, size_t frames, int gain)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < frames) {
        int s = pcm[i];
        s = (s * gain) >> 15;
        pcm[i] = saturate(s);
    }
}

extern "C" void apply_gain(int16_t *pcm, size_t frames, int gain)
{
    unsigned blocks = (unsigned)((frames + 255) / 256);
    applyGainQ15<<<blocks, 256>>>(pcm, frames, gain);
}

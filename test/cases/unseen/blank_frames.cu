// Brightens frames; the target is blanked first.
#include <cuda_runtime.h>

template <typename Px>
__global__ void blank(Px* frame, int count)
{
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < count; p += gridDim.x * blockDim.x) frame[p] = Px(0);
}

template <typename Px>
__global__ void brighten(const Px* from, Px* to, float gain, int count)
{
    int p = threadIdx.x + blockIdx.x * blockDim.x;
    if (p < count) to[p] = from[p] * gain;
}

void bright_copy(const float* from, float* to, float gain, int count)
{
    const int blocks = (count + 255) / 256;
    blank<float><<<blocks, 256>>>(to, count);
    brighten<float><<<blocks, 256>>>(from, to, gain, count);
}

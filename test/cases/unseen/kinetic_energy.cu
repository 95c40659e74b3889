#include <cuda_runtime.h>

/// Kinetic energy of each block of particles; the caller adds the partial sums.
template <unsigned kBlock>
__global__ void kinetic_partial(const float* speed, float mass, float* partial, size_t count)
{
    __shared__ float acc[kBlock];
    unsigned lane = threadIdx.x;
    size_t p = blockIdx.x * (size_t)kBlock + lane;
    float e = 0.f;
    if (p < count)
    {
        float v = speed[p];
        e = 0.5f * mass * v * v;
    }
    acc[lane] = e;
    __syncthreads();

    for (unsigned gap = 1; gap < kBlock; gap <<= 1)
    {
        if (lane % (gap + gap) == 0)
            acc[lane] += acc[lane + gap];
        __syncthreads();
    }

    if (!lane)
        partial[blockIdx.x] = acc[0];
}

void kinetic(const float* speed, float mass, float* partial, size_t count)
{
    kinetic_partial<256><<<(count + 255) / 256, 256>>>(speed, mass, partial, count);
}

// Brings a recording to full scale in one launch. Launched with as many blocks as the GPU holds at once:
// each of them waits until all have told their own peak.
__device__ unsigned bits_of(float loudness) { return __float_as_uint(loudness); }

extern "C" __global__ void full_scale(const float* samples, float* scaled, unsigned* peak, unsigned* told,
                                      int count)
{
    const int step = gridDim.x * blockDim.x;
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ unsigned loudest;
    if (threadIdx.x == 0) loudest = 0u;
    __syncthreads();
    float own = 0.0f;
    for (int i = first; i < count; i += step) own = fmaxf(own, fabsf(samples[i]));
    atomicMax(&loudest, bits_of(own));
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMax(peak, loudest);
        __threadfence();
        atomicAdd(told, 1u);
        while (atomicAdd(told, 0u) < gridDim.x) {}
        __threadfence();
        loudest = atomicOr(peak, 0u);
    }
    __syncthreads();
    const float full = __uint_as_float(loudest);
    for (int i = first; i < count; i += step) scaled[i] = full > 0.0f ? samples[i] / full : 0.0f;
}

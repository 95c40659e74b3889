// Weights of a block's vector over a set of basis vectors, each a sum over the whole block.
#include <cuda_runtime.h>

template <int SIZE>
struct Gather {
    __device__ static float all(float v, float* room)
    {
        const int t = threadIdx.x;
        room[t] = v;
        __syncthreads();
        for (int half = SIZE / 2; half >= 1; half /= 2) {
            if (t < half) room[t] += room[t + half];
            __syncthreads();
        }
        const float sum = room[0];
        __syncthreads();
        return sum;
    }
};

template <int SIZE>
__global__ void basis_weights(const float* basis, const float* x, float* weight, int count)
{
    __shared__ float room[SIZE];
    const float v = x[blockIdx.x * SIZE + threadIdx.x];
    for (int b = 0; b < count; ++b) {
        const float w = Gather<SIZE>::all(v * basis[b * SIZE + threadIdx.x], room);
        if (threadIdx.x == 0) weight[blockIdx.x * count + b] = w;
    }
}

extern "C" int weigh(const float* basis, const float* x, float* weight, int size, int count, int vectors)
{
#define FOR(SIZE) \
    case SIZE: basis_weights<SIZE><<<vectors, SIZE>>>(basis, x, weight, count); return 0;
    switch (size) {
        FOR(128)
        FOR(256)
        FOR(512)
    }
    return -1;
}

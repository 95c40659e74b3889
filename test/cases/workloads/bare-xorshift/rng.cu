#include <stdint.h>

struct RngState { uint32_t x, y, z, w; };

// one generator for each thread; draws `per_thread` uniform numbers in [0, 1), stored so that warps write side by side
__global__ void fill_uniform(RngState* states, float* numbers, int nthreads, int per_thread)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= nthreads) return;
    RngState s = states[id];
    for (int k = 0; k < per_thread; ++k) {
        uint32_t t = s.x ^ (s.x << 11);
        s.x = s.y; s.y = s.z; s.z = s.w;
        s.w ^= (s.w >> 19) ^ t ^ (t >> 8);
        numbers[k * nthreads + id] = (s.w >> 8) * (1.0f / 16777216.0f);
    }
    states[id] = s;
}

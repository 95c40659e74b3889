// Samples of a sonar by ping become samples by depth, one beam after the other.
// Launch: grid(ceil(depths / 32), pings / 16, beams), block(32, 8)
#include <cuda_runtime.h>

__global__ void regroup(const float2* __restrict__ by_ping, float2* __restrict__ by_depth, int pings, int depths)
{
    __shared__ float2 tile[16][33];
    const size_t beam = blockIdx.z * (size_t)pings * depths;
    const int left = blockIdx.x * 32;
    const int top = blockIdx.y * 16;
    for (int row = threadIdx.y; row < 16; row += 8)
        if (left + threadIdx.x < depths)
            tile[row][threadIdx.x] = by_ping[beam + (size_t)(top + row) * depths + left + threadIdx.x];
    __syncthreads();
    for (int cell = threadIdx.y * 32 + threadIdx.x; cell < 512; cell += 256) {
        const int depth = left + cell / 16;
        if (depth < depths) by_depth[beam + (size_t)depth * pings + top + cell % 16] = tile[cell % 16][cell / 16];
    }
}

#include "compact.h"
#include "scan.h"

__global__ void mark(const float *in, unsigned *flags, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) flags[i] = in[i] > 0.0f;
}

__global__ void scatter(const float *in, const unsigned *flags, const unsigned *places, float *out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && flags[i]) out[places[i]] = in[i];
}

int compact_positive(const float *in, float *out, int count)
{
    unsigned *flags, *places, last[2];
    cudaMalloc(&flags, count * sizeof(unsigned));
    cudaMalloc(&places, count * sizeof(unsigned));
    const int blocks = (count + 127) / 128;
    mark<<<blocks, 128>>>(in, flags, count);
    exclusive_scan(flags, places, count);
    scatter<<<blocks, 128>>>(in, flags, places, out, count);
    cudaMemcpy(&last[0], flags + count - 1, sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaMemcpy(&last[1], places + count - 1, sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaFree(flags);
    cudaFree(places);
    return last[0] + last[1];
}

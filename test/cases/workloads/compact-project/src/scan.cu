#include "scan.h"

__global__ void scan_one_block(const unsigned *flags, unsigned *places, int count)
{
    __shared__ unsigned partial[1024];
    unsigned before = 0;
    for (int first = 0; first < count; first += blockDim.x) {
        const int i = first + threadIdx.x;
        partial[threadIdx.x] = i < count ? flags[i] : 0;
        __syncthreads();
        for (unsigned step = 1; step < blockDim.x; step *= 2) {
            const unsigned left = threadIdx.x >= step ? partial[threadIdx.x - step] : 0;
            __syncthreads();
            partial[threadIdx.x] += left;
            __syncthreads();
        }
        if (i < count) places[i] = before + partial[threadIdx.x] - flags[i];
        before += partial[blockDim.x - 1];
        __syncthreads();
    }
}

void exclusive_scan(const unsigned *flags, unsigned *places, int count)
{
    scan_one_block<<<1, 256>>>(flags, places, count);
}

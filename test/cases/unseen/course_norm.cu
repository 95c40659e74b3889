/*
 * CS 4610 - Parallel Programming, Lab 4
 *
 * Manhattan distance of two vectors: each block adds up its own 256 differences
 * in shared memory and writes one partial result. The host adds the partials.
 */
#include <stdio.h>
#include <cuda_runtime.h>

#define BLOCK_SIZE 256

/* Step 1: the contribution of one element (0 for threads past the end). */
__device__ float difference(const float *a, const float *b, int index, int n)
{
    if (index < n)
        return fabsf(a[index] - b[index]);
    return 0.0f;
}

__global__ void manhattanKernel(const float *a, const float *b, float *partial, int n)
{
    __shared__ float cache[BLOCK_SIZE];

    int tid = threadIdx.x;
    int index = blockIdx.x * blockDim.x + threadIdx.x;

    cache[tid] = difference(a, b, index, n);
    __syncthreads();

    /* Step 2: pairwise tree, the distance of the partners doubles each round. */
    for (unsigned int step = 1; step < blockDim.x; step = step * 2)
    {
        if (tid % (2 * step) == 0)
        {
            cache[tid] = cache[tid] + cache[tid + step];
        }
        __syncthreads();
    }

    /* Step 3: thread 0 has the sum of the block. */
    if (tid == 0)
    {
        partial[blockIdx.x] = cache[0];
    }
}

void manhattanPartials(const float *a, const float *b, float *partial, int n)
{
    int numBlocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    manhattanKernel<<<numBlocks, BLOCK_SIZE>>>(a, b, partial, n);
}

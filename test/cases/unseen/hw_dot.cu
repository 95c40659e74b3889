// Homework 3, part B: dot product of two vectors.
#include <stdio.h>
#include <cuda_runtime.h>

#define TPB 256

__global__ void dotProductKernel(float *d_a, float *d_b, float *d_partial, int N)
{
    __shared__ float products[TPB];

    int myId = threadIdx.x + blockDim.x * blockIdx.x;
    int tid = threadIdx.x;

    // each thread makes one product
    if (myId < N)
        products[tid] = d_a[myId] * d_b[myId];
    else
        products[tid] = 0.0f;

    __syncthreads();   // wait for everybody

    // the first thread adds them up
    if (tid == 0)
    {
        float total = 0.0f;
        for (int k = 0; k < blockDim.x; k++)
        {
            total = total + products[k];
        }
        d_partial[blockIdx.x] = total;
    }
}

void dotProduct(float *d_a, float *d_b, float *d_partial, int N)
{
    int numBlocks = (N + TPB - 1) / TPB;
    dotProductKernel<<<numBlocks, TPB>>>(d_a, d_b, d_partial, N);
    cudaDeviceSynchronize();
}

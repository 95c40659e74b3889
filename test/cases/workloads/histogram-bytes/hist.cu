#include <cuda_runtime.h>

typedef unsigned int uint;
#define BINS 256

// Histogramm ueber Bytes; vier Bytes je Ladebefehl, n ist durch 4 teilbar
__global__ void hist256(const uchar4 *daten, uint *hist, uint nVec)
{
    __shared__ uint lokal[BINS];
    for (uint b = threadIdx.x; b < BINS; b += blockDim.x)
        lokal[b] = 0;
    __syncthreads();

    uint schritt = gridDim.x * blockDim.x;
    for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < nVec; i += schritt)
    {
        uchar4 v = daten[i];
        atomicAdd(&lokal[v.x], 1u);
        atomicAdd(&lokal[v.y], 1u);
        atomicAdd(&lokal[v.z], 1u);
        atomicAdd(&lokal[v.w], 1u);
    }
    __syncthreads();

    for (uint b = threadIdx.x; b < BINS; b += blockDim.x)
        if (lokal[b])
            atomicAdd(&hist[b], lokal[b]);
}

void histogramm(const unsigned char *d_bytes, uint *d_hist, uint n)
{
    cudaMemset(d_hist, 0, BINS * sizeof(uint));
    uint nVec = n / 4;
    uint bloecke = (nVec + 255) / 256;
    if (bloecke > 240) bloecke = 240;
    hist256<<<bloecke, 256>>>((const uchar4 *)d_bytes, d_hist, nVec);
}

// base composition of a sequencing run: how many A C G T N pass the quality cut-off
#include <stdint.h>
#include <cuda_runtime.h>

#define N_BASES 5

// low quality calls count as N
__device__ int call_base(uint8_t code, uint8_t qual, int min_qual)
{
    if (code > 3 || qual < min_qual) return 4;
    return code;
}

__global__ void base_composition(const uint8_t *seq, const uint8_t *qual, int *counts, int min_qual, int n)
{
    // one small table per block, so that the global counters are touched rarely
    __shared__ int block_counts[N_BASES];
    if (threadIdx.x < N_BASES) block_counts[threadIdx.x] = 0;
    __syncthreads();

    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        int b = call_base(seq[i], qual[i], min_qual);
        atomicAdd(&block_counts[b], 1);
    }
    __syncthreads();

    if (threadIdx.x < N_BASES) atomicAdd(&counts[threadIdx.x], block_counts[threadIdx.x]);
}

void count_bases(const uint8_t *seq, const uint8_t *qual, int *counts, int min_qual, int n)
{
    int threads = 256;
    int blocks = (n + threads * 8 - 1) / (threads * 8);
    base_composition<<<blocks, threads>>>(seq, qual, counts, min_qual, n);
}

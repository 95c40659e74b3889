#include <stdint.h>
#include <cuda_runtime.h>

#define KMER      3
#define SPECTRUM  64          /* 4^KMER */

/* both strands count as one: the smaller of a word and its reverse complement */
static __device__ unsigned canonical(unsigned fwd)
{
    unsigned rev = 0, w = fwd;
    for (int k = 0; k < KMER; ++k) {
        rev = (rev << 2) | (3u - (w & 3u));
        w >>= 2;
    }
    return fwd < rev ? fwd : rev;
}

/* grid: x covers the positions of a read, y the reads */
__global__ void kmer_spectrum(const uint8_t *reads, uint32_t *spectrum, int read_len)
{
    const int pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos > read_len - KMER)
        return;

    const uint8_t *read = reads + (size_t)blockIdx.y * read_len;
    unsigned word = 0;
#pragma unroll
    for (int k = 0; k < KMER; ++k)
        word = (word << 2) | (read[pos + k] & 3u);

    atomicAdd(&spectrum[canonical(word)], 1u);
}

extern "C" int count_kmers(const uint8_t *reads, uint32_t *spectrum, int n_reads, int read_len)
{
    dim3 block(256);
    dim3 grid((read_len + block.x - 1) / block.x, n_reads);
    cudaMemset(spectrum, 0, SPECTRUM * sizeof *spectrum);
    kmer_spectrum<<<grid, block>>>(reads, spectrum, read_len);
    return cudaGetLastError() == cudaSuccess ? 0 : -1;
}

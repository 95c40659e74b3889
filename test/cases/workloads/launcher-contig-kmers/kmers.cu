#include <cuda_runtime.h>

// Histogram of k-mers for each contig of an assembly; seq holds the contigs one behind another.
template <int K>
__global__ void kmerHist(const char* __restrict__ seq, const int* __restrict__ off, int nContigs, int* __restrict__ hist)
{
    int c = blockIdx.y * gridDim.x + blockIdx.x;
    if (c >= nContigs) return;
    int lo = off[c], hi = off[c + 1];
    int len = hi - lo - K + 1;
    for (int p = threadIdx.x; p < len; p += blockDim.x) {
        int code = 0;
#pragma unroll
        for (int j = 0; j < K; j++) {
            int b = 0;
            switch (seq[lo + p + j]) { case 'C': b = 1; break; case 'G': b = 2; break; case 'T': b = 3; break; default: b = 0; }
            code = code * 4 + b;
        }
        atomicAdd(hist + c * (1 << (2 * K)) + code, 1);
    }
}

void kmer_histogram(const char* d_seq, const int* d_off, int n_contigs, int* d_hist, cudaStream_t stream)
{
    dim3 grid(n_contigs);
    kmerHist<4><<<grid, 256, 0, stream>>>(d_seq, d_off, n_contigs, d_hist);
}

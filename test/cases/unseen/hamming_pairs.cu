// all-vs-all p-distance of aligned sequences (for the neighbour-joining step)
// bases are coded 0..3, 4 = N or gap. distance = mismatches / sites where both are known

#define N_CODE 4
#define BLK 16

typedef unsigned char base_t;

__device__ bool is_known(base_t a, base_t b) {
    return a < N_CODE && b < N_CODE;
}

__global__ void pairwise_pdist(const base_t *aln, float *dist, int nseq, int len)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nseq || j >= nseq) return;

    int mismatch = 0;
    int sites = 0;
    for (int pos = 0; pos < len; pos++) {
        base_t a = aln[i * len + pos];
        base_t b = aln[j * len + pos];
        if (is_known(a, b)) {
            sites++;
            if (a != b) mismatch++;
        }
    }
    // no overlap: maximal distance
    dist[i * nseq + j] = sites > 0 ? (float)mismatch / sites : 1.0f;
}

void distance_matrix(const base_t *aln, float *dist, int nseq, int len)
{
    dim3 threads(BLK, BLK);
    dim3 blocks((nseq + BLK - 1) / BLK, (nseq + BLK - 1) / BLK);
    pairwise_pdist<<<blocks, threads>>>(aln, dist, nseq, len);
}

// GC content and the number of unknown bases of short reads; a read is `stride` bytes, its bases are letters.
typedef unsigned char uint8;

__global__ void gcContent(const uint8 *__restrict__ bases, int nReads, int stride, float *__restrict__ gc,
                          int *__restrict__ unknown)
{
    for (int read = blockIdx.x * blockDim.x + threadIdx.x; read < nReads; read += gridDim.x * blockDim.x) {
        const uint8 *seq = bases + (long)read * stride;
        int nGC = 0, nN = 0;
        for (int p = 0; p < stride; p++) {
            const uint8 c = seq[p];
            if (c == 'G' || c == 'C')
                nGC++;
            else if (c == 'N')
                nN++;
        }
        gc[read] = stride > nN ? (float)nGC / (stride - nN) : 0.f;
        unknown[read] = nN;
    }
}

void GcOfReads(const uint8 *bases, int nReads, int stride, float *gc, int *unknown)
{
    gcContent<<<256, 128>>>(bases, nReads, stride, gc, unknown);
}

#include <cuda_runtime.h>

/*
 * Summed-area tables of 32 x 32 tiles, as box filters with a bounded
 * radius want them. A block takes four neighbouring tiles, one per warp.
 */
#define EDGE 32
#define PER_BLOCK 4

__global__ void summed_tiles(const float *img, float *table, int w, int h)
{
    __shared__ float s[PER_BLOCK][EDGE][EDGE];

    const int lane = threadIdx.x;
    const int k = threadIdx.y;
    const int x = (blockIdx.x * PER_BLOCK + k) * EDGE + lane;
    const int y0 = blockIdx.y * EDGE;

    for (int r = 0; r < EDGE; r++)
        s[k][r][lane] = (x < w && y0 + r < h) ? img[(y0 + r) * w + x] : 0.0f;
    __syncthreads();

    /* along the rows: every lane has a row of its own */
    float run = 0.0f;
    for (int c = 0; c < EDGE; c++) {
        run += s[k][lane][c];
        s[k][lane][c] = run;
    }
    __syncthreads();

    /* down the columns */
    run = 0.0f;
    for (int r = 0; r < EDGE; r++) {
        run += s[k][r][lane];
        if (x < w && y0 + r < h)
            table[(y0 + r) * w + x] = run;
    }
}

void make_tables(const float *img, float *table, int w, int h)
{
    dim3 threads(EDGE, PER_BLOCK);
    dim3 blocks((w + EDGE * PER_BLOCK - 1) / (EDGE * PER_BLOCK), (h + EDGE - 1) / EDGE);
    summed_tiles<<<blocks, threads>>>(img, table, w, h);
}

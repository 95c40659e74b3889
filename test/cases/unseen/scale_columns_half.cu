#include <cuda_fp16.h>

#define CEIL(a, b) (((a) + (b) - 1) / (b))

__global__ void scaleColumns(__half *mat, const __half *gain, int nRows, int nCols)
{
    int row = threadIdx.x + blockIdx.x * blockDim.x;
    int col = threadIdx.y + blockIdx.y * blockDim.y;

    if ((row < nRows) && (col < nCols))
    {
        size_t offset = (size_t)row * nCols + col;
        mat[offset] = __hmul(mat[offset], gain[col]);
    }
}

void scale_columns(__half *mat, const __half *gain, int nRows, int nCols)
{
    dim3 block(16, 16, 1);
    dim3 grid(CEIL(nRows, 16), CEIL(nCols, 16), 1);
    scaleColumns<<<grid, block>>>(mat, gain, nRows, nCols);
}

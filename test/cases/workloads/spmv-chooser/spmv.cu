#include <cuda_runtime.h>

struct CsrMatrix {
    int rows, cols, nnz;
    const int *rowPtr;   // rows + 1
    const int *colIdx;   // nnz, each below cols
    const float *values; // nnz
};

// one thread per row
__global__ void spmvScalar(CsrMatrix A, const float *x, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < A.rows) {
        float dot = 0;
        for (int jj = A.rowPtr[row]; jj < A.rowPtr[row + 1]; jj++)
            dot += A.values[jj] * x[A.colIdx[jj]];
        y[row] = dot;
    }
}

// one warp per row
__global__ void spmvVector(CsrMatrix A, const float *x, float *y)
{
    int row  = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row < A.rows) {
        float dot = 0;
        for (int jj = A.rowPtr[row] + lane; jj < A.rowPtr[row + 1]; jj += 32)
            dot += A.values[jj] * x[A.colIdx[jj]];
        for (int off = 16; off > 0; off /= 2)
            dot += __shfl_down_sync(0xffffffff, dot, off);
        if (lane == 0)
            y[row] = dot;
    }
}

void spmv(const CsrMatrix &A, const float *x, float *y)
{
    const int threads = 128;
    if (A.nnz / A.rows >= 16)
        spmvVector<<<(A.rows * 32 + threads - 1) / threads, threads>>>(A, x, y);
    else
        spmvScalar<<<(A.rows + threads - 1) / threads, threads>>>(A, x, y);
}

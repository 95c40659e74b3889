// CSR times vector, a thread for each row; rows have very different lengths.
__global__ void spmv_scalar(const int* rowptr, const int* colind, const float* val, const float* x, float* y, int rows)
{
    const int r = blockDim.x * blockIdx.x + threadIdx.x;
    if (r < rows)
    {
        float dot = 0;
        const int e = rowptr[r + 1];
        for (int k = rowptr[r]; k < e; k++)
            dot += val[k] * x[colind[k]];
        y[r] = dot;
    }
}
void spmv(const int* rowptr, const int* colind, const float* val, const float* x, float* y, int rows) { spmv_scalar<<<(rows + 127) / 128, 128>>>(rowptr, colind, val, x, y, rows); }

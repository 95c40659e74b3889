// A(i, j) += alpha * x(i) * y(j), by columns, lda >= m
extern "C" __global__ void ger(int m, int n, double alpha, const double *x, const double *y, double *A, int lda)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < m && j < n)
        A[i + (size_t)j * lda] += alpha * x[i] * y[j];
}

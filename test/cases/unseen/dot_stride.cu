__global__ void dotKernel(const double *a, const double *b, double *res, size_t N)
{
    double partial = 0.0;
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < N) {
        partial += a[i] * b[i];
        i += blockDim.x * gridDim.x;
    }
    atomicAdd(res, partial);
}

void dot(const double *a, const double *b, double *res, size_t N)
{
    dotKernel<<<256, 256>>>(a, b, res, N);
}

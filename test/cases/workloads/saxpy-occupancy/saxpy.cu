#include <cuda_runtime.h>

extern "C" {

__global__ void saxpy_kernel(int n, float a, const float *x, int incx, float *y, int incy)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i * incy] += a * x[i * incx];
}

int saxpy(int n, float a, const float *x, int incx, float *y, int incy)
{
    int min_grid, block;
    if (n <= 0) return 0;
    cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, saxpy_kernel, 0, 0);
    int grid = (n + block - 1) / block;
    if (grid > min_grid) grid = min_grid;
    saxpy_kernel<<<grid, block>>>(n, a, x, incx, y, incy);
    return (int)cudaGetLastError();
}

}

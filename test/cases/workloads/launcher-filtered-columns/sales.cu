#include <cuda_runtime.h>

struct Sales {
    const int *day;
    const int *units;
    const float *price;
};

// What was sold on a day and before, by shop.
__global__ void early_sales(Sales s, const unsigned char *shop, int rows, int day, float *total, int *count)
{
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
        if (s.day[r] > day)
            continue;
        int b = shop[r] & 31;
        atomicAdd(&total[b], s.units[r] * s.price[r]);
        atomicAdd(&count[b], 1);
    }
}

cudaError_t run_early_sales(Sales s, const unsigned char *shop, int rows, int day, float *total, int *count)
{
    cudaMemset(total, 0, 32 * sizeof(float));
    cudaMemset(count, 0, 32 * sizeof(int));
    int blocks = (rows + 255) / 256;
    if (blocks > 512)
        blocks = 512;
    early_sales<<<blocks, 256>>>(s, shop, rows, day, total, count);
    return cudaGetLastError();
}

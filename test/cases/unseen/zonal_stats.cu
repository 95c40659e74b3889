// Zonal statistics of an elevation raster: area above a contour and mean height, per zone.
#include <cuda_runtime.h>

struct RasterInfo
{
    int cols;
    int rows;
    float noData;
    float contour;
};

__device__ __forceinline__ bool usable(const RasterInfo& info, float z)
{
    return z != info.noData && z >= info.contour;
}

__global__ void ZonalStatistics(const float* __restrict__ dem, const int* __restrict__ zoneIds,
                                float* sumHeight, int* cellCount,
                                int cols, int rows, float noData, float contour)
{
    const RasterInfo info = {cols, rows, noData, contour};
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= info.cols || row >= info.rows)
        return;

    const int cell = row * info.cols + col;
    const float z = dem[cell];
    if (!usable(info, z))
        return;

    const int zone = zoneIds[cell];
    atomicAdd(&sumHeight[zone], z - info.contour);
    atomicAdd(&cellCount[zone], 1);
}

void RunZonalStatistics(const float* dem, const int* zoneIds, float* sumHeight, int* cellCount,
                        int cols, int rows, float noData, float contour)
{
    dim3 block(32, 8);
    dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    ZonalStatistics<<<grid, block>>>(dem, zoneIds, sumHeight, cellCount, cols, rows, noData, contour);
}

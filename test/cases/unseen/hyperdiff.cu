// Fourth-order horizontal diffusion (minus the Laplacian of the Laplacian) of one model level.
// Longitude is cyclic; the two northernmost and southernmost rows are left alone.
#include <cuda_runtime.h>

#define EAST(i, n) ((i) + 1 < (n) ? (i) + 1 : 0)
#define WEST(i, n) ((i) > 0 ? (i) - 1 : (n) - 1)
#define FLD(i, j) field[(j) * nlon + (i)]

__device__ float laplacian(const float* field, int i, int j, int nlon)
{
    return FLD(EAST(i, nlon), j) + FLD(WEST(i, nlon), j) + FLD(i, j + 1) + FLD(i, j - 1) - 4.0f * FLD(i, j);
}

__global__ void hyper_diffusion(const float* field, const float* coslat, float* smoothed,
                                int nlon, int nlat, float kdiff)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nlon || j >= nlat) return;

    float value = FLD(i, j);
    if (j >= 2 && j < nlat - 2)
    {
        const float here = laplacian(field, i, j, nlon);
        const float bilap = laplacian(field, EAST(i, nlon), j, nlon) + laplacian(field, WEST(i, nlon), j, nlon)
                          + laplacian(field, i, j + 1, nlon) + laplacian(field, i, j - 1, nlon) - 4.0f * here;
        value -= kdiff * coslat[j] * bilap;
    }
    smoothed[j * nlon + i] = value;
}

void diffuse_level(const float* field, const float* coslat, float* smoothed, int nlon, int nlat, float kdiff)
{
    dim3 block(32, 8);
    dim3 grid((nlon + 31) / 32, (nlat + 7) / 8);
    hyper_diffusion<<<grid, block>>>(field, coslat, smoothed, nlon, nlat, kdiff);
}

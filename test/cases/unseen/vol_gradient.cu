#include <cuda_runtime.h>
#include <math.h>

typedef struct { int x, y, z; } Extent;

#define VOX(p, e, a, b, c) (p)[((size_t)(c) * (e).y + (b)) * (e).x + (a)]

// magnitude of the gradient of a CT volume, central differences, clamped at the faces
__global__ void gradientMagnitude(const float* __restrict__ vol, float* __restrict__ mag, Extent ext)
{
    // one voxel per thread
    const int y = threadIdx.x + blockIdx.x * blockDim.x;
    const int x = threadIdx.y + blockIdx.y * blockDim.y;
    const int z = threadIdx.z + blockIdx.z * blockDim.z;
    if (x >= ext.x) return;
    if (y >= ext.y) return;
    if (z >= ext.z) return;

    const int xm = max(x - 1, 0), xp = min(x + 1, ext.x - 1);
    const int ym = max(y - 1, 0), yp = min(y + 1, ext.y - 1);
    const int zm = max(z - 1, 0), zp = min(z + 1, ext.z - 1);
    const float gx = VOX(vol, ext, xp, y, z) - VOX(vol, ext, xm, y, z);
    const float gy = VOX(vol, ext, x, yp, z) - VOX(vol, ext, x, ym, z);
    const float gz = VOX(vol, ext, x, y, zp) - VOX(vol, ext, x, y, zm);
    VOX(mag, ext, x, y, z) = 0.5f * sqrtf(gx * gx + gy * gy + gz * gz);
}

void gradient(const float* vol, float* mag, int nx, int ny, int nz)
{
    Extent ext = {nx, ny, nz};
    dim3 threads(16, 8, 2);
    dim3 blocks((ny + 15) / 16, (nx + 7) / 8, (nz + 1) / 2);
    gradientMagnitude<<<blocks, threads>>>(vol, mag, ext);
}

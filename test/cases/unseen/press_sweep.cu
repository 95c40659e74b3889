/* PRSUPD - pressure update of the acoustic substep.
   Arrays are column-major as in the F77 code: first index fastest.
   C-grid, the last layer in each direction is boundary and only copied. */

#define IX(i,j,k) ((i) + nx * ((j) + ny * (k)))
#define PRS(i,j,k) p[IX(i,j,k)]
#define UU(i,j,k)  u[IX(i,j,k)]
#define VV(i,j,k)  v[IX(i,j,k)]
#define WW(i,j,k)  w[IX(i,j,k)]

__device__ float divrg(const float* u, const float* v, const float* w,
                       int i, int j, int k, int nx, int ny,
                       float rdx, float rdy, float rdz)
{
    return (UU(i+1,j,k) - UU(i,j,k)) * rdx
         + (VV(i,j+1,k) - VV(i,j,k)) * rdy
         + (WW(i,j,k+1) - WW(i,j,k)) * rdz;
}

__global__ void prsupd(const float* p, const float* u, const float* v, const float* w, float* pnew,
                       int nx, int ny, int nz, float rdx, float rdy, float rdz, float dtbulk)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int i = blockIdx.z * blockDim.z + threadIdx.z;

    if (i >= nx || j >= ny || k >= nz) return;

    float pn = PRS(i,j,k);
    if (i < nx - 1 && j < ny - 1 && k < nz - 1)
        pn = pn - dtbulk * divrg(u, v, w, i, j, k, nx, ny, rdx, rdy, rdz);
    pnew[IX(i,j,k)] = pn;
}

void prsupd_(const float* p, const float* u, const float* v, const float* w, float* pnew,
             int nx, int ny, int nz, float dx, float dy, float dz, float dtbulk)
{
    dim3 thr(32, 4, 2);
    dim3 blk((nz + thr.x - 1) / thr.x, (ny + thr.y - 1) / thr.y, (nx + thr.z - 1) / thr.z);
    prsupd<<<blk, thr>>>(p, u, v, w, pnew, nx, ny, nz, 1.0f / dx, 1.0f / dy, 1.0f / dz, dtbulk);
}

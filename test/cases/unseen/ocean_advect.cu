/*
 * Upwind advection of a tracer, translated from ADVQ.F90 (loop nest K / J / I).
 * The fields keep the Fortran layout: Q(I,J,K) with I running fastest, indices from 1.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define FTN(a, i, j, k) a[((i) - 1) + nx * (((j) - 1) + ny * ((k) - 1))]

extern "C" __global__ void advq(const double *q, const double *u, const double *v, const double *w, double *qn,
                                int nx, int ny, int nz, double dtdx, double dtdy, double dtdz)
{
    /* DO K = 2, NZ-1 ; DO J = 2, NY-1 ; DO I = 2, NX-1 */
    int k = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int i = blockIdx.z * blockDim.z + threadIdx.z + 1;
    if (i > nx || j > ny || k > nz) return;

    double qc = FTN(q, i, j, k);
    if (i == 1 || j == 1 || k == 1 || i == nx || j == ny || k == nz) {
        FTN(qn, i, j, k) = qc;
        return;
    }
    double uc = FTN(u, i, j, k), vc = FTN(v, i, j, k), wc = FTN(w, i, j, k);
    double fx = uc > 0.0 ? uc * (qc - FTN(q, i - 1, j, k)) : uc * (FTN(q, i + 1, j, k) - qc);
    double fy = vc > 0.0 ? vc * (qc - FTN(q, i, j - 1, k)) : vc * (FTN(q, i, j + 1, k) - qc);
    double fz = wc > 0.0 ? wc * (qc - FTN(q, i, j, k - 1)) : wc * (FTN(q, i, j, k + 1) - qc);
    FTN(qn, i, j, k) = qc - dtdx * fx - dtdy * fy - dtdz * fz;
}

static double drand(void) { return 2.0 * rand() / (double)RAND_MAX - 1.0; }

int main(void)
{
    const int nx = 112, ny = 72, nz = 40;
    const size_t n = (size_t)nx * ny * nz, bytes = n * sizeof(double);
    double *host = (double *)malloc(bytes);
    double *q, *u, *v, *w, *qn;
    double **fields[4] = {&q, &u, &v, &w};
    for (int f = 0; f < 4; f++) {
        for (size_t i = 0; i < n; i++) host[i] = drand();
        cudaMalloc((void **)fields[f], bytes);
        cudaMemcpy(*fields[f], host, bytes, cudaMemcpyHostToDevice);
    }
    cudaMalloc((void **)&qn, bytes);

    dim3 threads(32, 4, 2);
    dim3 blocks((nz + 31) / 32, (ny + 3) / 4, (nx + 1) / 2);
    advq<<<blocks, threads>>>(q, u, v, w, qn, nx, ny, nz, 0.2, 0.2, 0.1);
    cudaMemcpy(host, qn, bytes, cudaMemcpyDeviceToHost);

    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += host[i];
    printf("tracer mass %.6f\n", sum);
    return 0;
}

#include <cuda_runtime.h>
#include <stdlib.h>

#define BX 8
#define BY 4
#define BZ 4

static __device__ inline const double *line(const char *base, size_t pitch, int ny, int y, int z)
{ return (const double *)(base + ((size_t)z * ny + y) * pitch); }

/* explicit Euler step of the heat equation; the border keeps its values */
__global__ void heat_step(const char *old_t, char *new_t, size_t pitch, int nx, int ny, int nz, double r)
{
	int x = blockIdx.x * BX + threadIdx.x;
	int y = blockIdx.y * BY + threadIdx.y;
	int z = blockIdx.z * BZ + threadIdx.z;

	if (x >= nx || y >= ny || z >= nz) return;

	const double *row = line(old_t, pitch, ny, y, z);
	double t = row[x];
	if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
		t += r * (row[x - 1] + row[x + 1]
			+ line(old_t, pitch, ny, y - 1, z)[x] + line(old_t, pitch, ny, y + 1, z)[x]
			+ line(old_t, pitch, ny, y, z - 1)[x] + line(old_t, pitch, ny, y, z + 1)[x]
			- 6.0 * t);
	((double *)(new_t + ((size_t)z * ny + y) * pitch))[x] = t;
}

int heat_solve(double *grid, int nx, int ny, int nz, double r, int steps)
{
	char *a, *b;
	size_t pitch;
	if (cudaMallocPitch(&a, &pitch, nx * sizeof(double), ny * nz) != cudaSuccess) return EXIT_FAILURE;
	if (cudaMallocPitch(&b, &pitch, nx * sizeof(double), ny * nz) != cudaSuccess) return EXIT_FAILURE;
	cudaMemcpy2D(a, pitch, grid, nx * sizeof(double), nx * sizeof(double), ny * nz, cudaMemcpyHostToDevice);

	dim3 tb(BX, BY, BZ), nb((nx + BX - 1) / BX, (ny + BY - 1) / BY, (nz + BZ - 1) / BZ);
	while (steps-- > 0) {
		heat_step<<<nb, tb>>>(a, b, pitch, nx, ny, nz, r);
		char *t = a;
		a = b;
		b = t;
	}
	cudaMemcpy2D(grid, nx * sizeof(double), a, pitch, nx * sizeof(double), ny * nz, cudaMemcpyDeviceToHost);
	cudaFree(a);
	cudaFree(b);
	return EXIT_SUCCESS;
}

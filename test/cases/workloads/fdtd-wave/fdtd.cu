/* 2-D FDTD, TMz: Ez in the nodes, Hx and Hy between them. A hard source in the middle. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 64
#define NY 48
#define STEPS 30
#define AT(x, y) ((y) * NX + (x))

__global__ void update_h(float *hx, float *hy, const float *ez)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (y < NY - 1 && x < NX)
		hx[AT(x, y)] -= 0.5f * (ez[AT(x, y + 1)] - ez[AT(x, y)]);
	if (x < NX - 1 && y < NY)
		hy[AT(x, y)] += 0.5f * (ez[AT(x + 1, y)] - ez[AT(x, y)]);
}

__global__ void update_e(float *ez, const float *hx, const float *hy, int t)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= NX || y >= NY)
		return;
	ez[AT(x, y)] += 0.5f * (hy[AT(x, y)] - hy[AT(x - 1, y)] - hx[AT(x, y)] + hx[AT(x, y - 1)]);
	if (x == NX / 2 && y == NY / 2)
		ez[AT(x, y)] = sinf(0.3f * t);
}

static void on_the_host(float *ez, float *hx, float *hy)
{
	for (int t = 0; t < STEPS; t++) {
		for (int y = 0; y < NY; y++)
			for (int x = 0; x < NX; x++) {
				if (y < NY - 1) hx[AT(x, y)] -= 0.5f * (ez[AT(x, y + 1)] - ez[AT(x, y)]);
				if (x < NX - 1) hy[AT(x, y)] += 0.5f * (ez[AT(x + 1, y)] - ez[AT(x, y)]);
			}
		for (int y = 1; y < NY; y++)
			for (int x = 1; x < NX; x++)
				ez[AT(x, y)] += 0.5f * (hy[AT(x, y)] - hy[AT(x - 1, y)] - hx[AT(x, y)] + hx[AT(x, y - 1)]);
		ez[AT(NX / 2, NY / 2)] = sinf(0.3f * t);
	}
}

int main(void)
{
	const size_t size = NX * NY * sizeof(float);
	float *ez, *hx, *hy, *mine = (float *)malloc(size);
	float *href = (float *)calloc(3, size);
	cudaMalloc((void **)&ez, size);
	cudaMalloc((void **)&hx, size);
	cudaMalloc((void **)&hy, size);
	cudaMemset(ez, 0, size);
	cudaMemset(hx, 0, size);
	cudaMemset(hy, 0, size);
	dim3 block(32, 4), grid((NX + 31) / 32, (NY + 3) / 4);
	for (int t = 0; t < STEPS; t++) {
		update_h<<<grid, block>>>(hx, hy, ez);
		update_e<<<grid, block>>>(ez, hx, hy, t);
	}
	cudaMemcpy(mine, ez, size, cudaMemcpyDeviceToHost);
	on_the_host(href, href + NX * NY, href + 2 * NX * NY);
	double worst = 0;
	for (int i = 0; i < NX * NY; i++)
		worst = fmax(worst, fabs(mine[i] - href[i]));
	printf("largest difference %g\n", worst);
	return worst > 1e-4;
}

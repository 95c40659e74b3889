#include <stdlib.h>

#ifndef BS
#define BS 16
#endif

static __global__ void transpose_d(double *restrict_out, const double *in, int n, int m)
{
	__shared__ double buf[BS * BS];
	int i, j, lx, ly;

	lx = threadIdx.x;
	ly = threadIdx.y;
	i = blockIdx.y * BS + ly;
	j = blockIdx.x * BS + lx;
	if (i < n && j < m)
		buf[ly * BS + lx] = in[i * m + j];

	__syncthreads();

	i = blockIdx.y * BS + lx;
	j = blockIdx.x * BS + ly;
	if (i < n && j < m)
		restrict_out[j * n + i] = buf[lx * BS + ly];
}

int transpose(double *out, const double *in, int n, int m)
{
	dim3 tb, gd;

	tb.x = BS;
	tb.y = BS;
	gd.x = (m + BS - 1) / BS;
	gd.y = (n + BS - 1) / BS;
	transpose_d<<<gd, tb>>>(out, in, n, m);
	return 0;
}

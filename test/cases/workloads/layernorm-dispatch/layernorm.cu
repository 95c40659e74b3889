/*
 * LayerNorm, inference only.  y = (x - mean) / sqrt(var + eps) * gamma + beta
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHK(call)                                                              \
	do {                                                                   \
		cudaError_t e_ = (call);                                       \
		if (e_ != cudaSuccess) {                                       \
			fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__,      \
				cudaGetErrorString(e_));                       \
			exit(1);                                               \
		}                                                              \
	} while (0)

template <int THREADS>
static __device__ float block_sum(float v)
{
	__shared__ float lanes[THREADS / 32];
	for (int off = 16; off; off >>= 1)
		v += __shfl_down_sync(0xffffffffu, v, off);
	if ((threadIdx.x & 31) == 0)
		lanes[threadIdx.x >> 5] = v;
	__syncthreads();
	float s = 0.0f;
	for (int i = 0; i < THREADS / 32; i++)
		s += lanes[i];
	__syncthreads();
	return s;
}

template <int THREADS>
__global__ void layernorm_k(const float *x, const float *gamma, const float *beta,
			    float *y, int hidden, float eps)
{
	x += (long)blockIdx.x * hidden;
	y += (long)blockIdx.x * hidden;

	float s = 0.0f;
	for (int i = threadIdx.x; i < hidden; i += THREADS)
		s += x[i];
	const float mean = block_sum<THREADS>(s) / hidden;

	float v = 0.0f;
	for (int i = threadIdx.x; i < hidden; i += THREADS) {
		const float d = x[i] - mean;
		v += d * d;
	}
	const float rstd = rsqrtf(block_sum<THREADS>(v) / hidden + eps);

	for (int i = threadIdx.x; i < hidden; i += THREADS)
		y[i] = (x[i] - mean) * rstd * gamma[i] + beta[i];
}

/* All pointers are host pointers. */
extern "C" void layernorm_host(const float *x, const float *gamma, const float *beta,
			       float *y, int tokens, int hidden, float eps)
{
	float *dx, *dg, *db, *dy;
	size_t act = (size_t)tokens * hidden * sizeof(float);
	size_t par = hidden * sizeof(float);

	CHK(cudaMalloc(&dx, act));
	CHK(cudaMalloc(&dy, act));
	CHK(cudaMalloc(&dg, par));
	CHK(cudaMalloc(&db, par));
	CHK(cudaMemcpy(dx, x, act, cudaMemcpyHostToDevice));
	CHK(cudaMemcpy(dg, gamma, par, cudaMemcpyHostToDevice));
	CHK(cudaMemcpy(db, beta, par, cudaMemcpyHostToDevice));

	if (hidden <= 128)
		layernorm_k<64><<<tokens, 64>>>(dx, dg, db, dy, hidden, eps);
	else if (hidden <= 1024)
		layernorm_k<128><<<tokens, 128>>>(dx, dg, db, dy, hidden, eps);
	else
		layernorm_k<512><<<tokens, 512>>>(dx, dg, db, dy, hidden, eps);
	CHK(cudaGetLastError());

	CHK(cudaMemcpy(y, dy, act, cudaMemcpyDeviceToHost));
	cudaFree(dx);
	cudaFree(dg);
	cudaFree(db);
	cudaFree(dy);
}

/* Radix sort, 4 bits a pass: per-block counts, one scan, stable scatter by rank within the block */
#include <cuda_runtime.h>
#include <stdint.h>

enum { RADIX_BITS = 4, RADIX = 1 << RADIX_BITS, BLOCK = 128 };

__global__ void count_digits(const uint32_t *keys, uint32_t *counts, int n, int shift)
{
	__shared__ uint32_t c[RADIX];
	if (threadIdx.x < RADIX)
		c[threadIdx.x] = 0;
	__syncthreads();
	int i = blockIdx.x * BLOCK + threadIdx.x;
	if (i < n)
		atomicAdd(&c[(keys[i] >> shift) & (RADIX - 1)], 1);
	__syncthreads();
	/* digit-major, so that one scan over all gives the places */
	if (threadIdx.x < RADIX)
		counts[threadIdx.x * gridDim.x + blockIdx.x] = c[threadIdx.x];
}

__global__ void scan_counts(uint32_t *counts, int len)
{
	__shared__ uint32_t buf[2][256];
	__shared__ uint32_t carry;
	int t = threadIdx.x;
	if (t == 0)
		carry = 0;
	__syncthreads();
	for (int base = 0; base < len; base += 256) {
		uint32_t mine = base + t < len ? counts[base + t] : 0;
		int cur = 0;
		buf[0][t] = mine;
		__syncthreads();
		for (int d = 1; d < 256; d <<= 1) {
			buf[1 - cur][t] = buf[cur][t] + (t >= d ? buf[cur][t - d] : 0);
			cur = 1 - cur;
			__syncthreads();
		}
		if (base + t < len)
			counts[base + t] = carry + buf[cur][t] - mine;
		__syncthreads();
		if (t == 255)
			carry += buf[cur][255];
		__syncthreads();
	}
}

__global__ void scatter_keys(const uint32_t *keys, uint32_t *sorted, const uint32_t *places, int n, int shift)
{
	__shared__ uint8_t digit[BLOCK];
	int i = blockIdx.x * BLOCK + threadIdx.x;
	digit[threadIdx.x] = i < n ? (keys[i] >> shift) & (RADIX - 1) : 0xff;
	__syncthreads();
	if (i >= n)
		return;
	uint32_t rank = 0;
	for (int t = 0; t < threadIdx.x; t++)
		rank += digit[t] == digit[threadIdx.x];
	sorted[places[digit[threadIdx.x] * gridDim.x + blockIdx.x] + rank] = keys[i];
}

void radix_sort(uint32_t *h_keys, int n)
{
	int blocks = (n + BLOCK - 1) / BLOCK;
	uint32_t *a, *b, *counts;
	cudaMalloc((void **)&a, n * sizeof *a);
	cudaMalloc((void **)&b, n * sizeof *b);
	cudaMalloc((void **)&counts, RADIX * blocks * sizeof *counts);
	cudaMemcpy(a, h_keys, n * sizeof *a, cudaMemcpyHostToDevice);
	for (int shift = 0; shift < 32; shift += RADIX_BITS) {
		count_digits<<<blocks, BLOCK>>>(a, counts, n, shift);
		scan_counts<<<1, 256>>>(counts, RADIX * blocks);
		scatter_keys<<<blocks, BLOCK>>>(a, b, counts, n, shift);
		uint32_t *t = a;
		a = b;
		b = t;
	}
	cudaMemcpy(h_keys, a, n * sizeof *a, cudaMemcpyDeviceToHost);
	cudaFree(a);
	cudaFree(b);
	cudaFree(counts);
}

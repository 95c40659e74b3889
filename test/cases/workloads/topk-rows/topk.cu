#include <cuda_runtime.h>
#include <cstdint>
#define MAXK 16

/* Per row the k largest values with their columns, largest first. One thread a row, insertion into registers. */
template<int K>
__global__ void topk_kernel(const float* scores, float* vals, int32_t* idx, int rows, int cols) {
	const int row = blockIdx.x*blockDim.x + threadIdx.x;
	if(row >= rows) return;
	float v[K]; int32_t at[K];
	#pragma unroll
	for(int k=0;k<K;k++) { v[k] = -INFINITY; at[k] = -1; }
	for(int c=0;c<cols;c++) {
		float s = scores[(int64_t)row*cols + c];
		int32_t p = c;
		#pragma unroll
		for(int k=0;k<K;k++) {
			if(s > v[k]) {
				float tv = v[k]; int32_t tp = at[k];
				v[k] = s; at[k] = p;
				s = tv; p = tp;
			}
		}
	}
	#pragma unroll
	for(int k=0;k<K;k++) { vals[row*K+k] = v[k]; idx[row*K+k] = at[k]; }
}

#define CASE(K) case K: topk_kernel<K><<<blocks, threads, 0, stream>>>(scores, vals, idx, rows, cols); return cudaGetLastError()

cudaError_t topk(const float* scores, float* vals, int32_t* idx, int rows, int cols, int k, cudaStream_t stream) {
	const int threads = 64, blocks = (rows + threads - 1)/threads;
	switch(k) {
		CASE(1);
		CASE(2);
		CASE(4);
		CASE(8);
		CASE(16);
		default: return cudaErrorInvalidValue;
	}
}

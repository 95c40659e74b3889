#include <cuda_runtime.h>
#include <cmath>
#include <iostream>

using u64 = unsigned long long;

__device__ inline unsigned pcg(u64& state)
{
	u64 old = state;
	state = old * 6364136223846793005ull + 1442695040888963407ull;
	unsigned xorshifted = unsigned(((old >> 18u) ^ old) >> 27u);
	unsigned rot = unsigned(old >> 59u);
	return (xorshifted >> rot) | (xorshifted << ((32 - rot) & 31));
}

__global__ void throw_darts(u64* hits, u64 seed, int per_thread)
{
	u64 state = seed + (blockIdx.x * blockDim.x + threadIdx.x) * 0x9E3779B97F4A7C15ull;
	pcg(state);
	unsigned inside = 0;
	for (int i = 0; i < per_thread; ++i) {
		float x = pcg(state) * 2.3283064e-10f;
		float y = pcg(state) * 2.3283064e-10f;
		inside += x * x + y * y <= 1.0f;
	}
	inside = __reduce_add_sync(0xffffffffu, inside);
	if (threadIdx.x % warpSize == 0)
		atomicAdd(hits, (u64)inside);
}

int main()
{
	const int blocks = 32, threads = 128, per_thread = 64;
	u64 *d_hits, hits = 0;
	cudaMalloc(&d_hits, sizeof(u64));
	cudaMemcpy(d_hits, &hits, sizeof hits, cudaMemcpyHostToDevice);
	throw_darts<<<blocks, threads>>>(d_hits, 2024, per_thread);
	cudaMemcpy(&hits, d_hits, sizeof hits, cudaMemcpyDeviceToHost);
	cudaFree(d_hits);
	double pi = 4.0 * hits / ((double)blocks * threads * per_thread);
	std::cout << "pi ~ " << pi << "\n";
	return std::fabs(pi - 3.14159265) < 0.02 ? 0 : 1;
}

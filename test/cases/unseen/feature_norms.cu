#include <cuda_runtime.h>
#include <math.h>

// one thread walks its whole descriptor
static __global__ void descriptor_norms(const float *__restrict__ desc, float *norms, int count, int dim)
{
	const int id = blockIdx.x * blockDim.x + threadIdx.x;
	if (id >= count) return;

	const float *p = desc + (long)id * dim;
	const float *end = p + dim;
	float acc = 0.f;
	do {
		acc += *p * *p;
	} while (++p < end);
	norms[id] = sqrtf(acc);
}

extern "C" void launch_norms(const float *desc, float *norms, int count, int dim)
{
	const int tpb = 128;
	descriptor_norms<<<(count + tpb - 1) / tpb, tpb>>>(desc, norms, count, dim);
}

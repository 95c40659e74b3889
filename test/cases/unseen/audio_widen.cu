#include <cuda_runtime.h>

// Stereo width of interleaved frames: mid and side, the side scaled.
static __global__ void widen(float* frames, unsigned count, float width)
{
	const unsigned stride = gridDim.x * blockDim.x;
	for (unsigned f = blockIdx.x * blockDim.x + threadIdx.x; f < count; f += stride)
	{
		const unsigned left = f * 2;
		const unsigned right = left + 1;
		const float mid = 0.5f * (frames[left] + frames[right]);
		const float side = 0.5f * (frames[left] - frames[right]) * width;
		frames[left] = mid + side;
		frames[right] = mid - side;
	}
}

void process(float* frames, unsigned count, float width)
{
	widen<<<432, 256>>>(frames, count, width);
}

#define TILE_DIM 32

typedef unsigned int u32;

// Turns a 32-bit picture by ninety degrees, clockwise.
__global__ void RotateCW(const u32* src, u32* dst, int width, int height)
{
	__shared__ u32 patch[TILE_DIM * TILE_DIM];

	int sx = blockIdx.x * TILE_DIM + threadIdx.x;
	int sy = blockIdx.y * TILE_DIM + threadIdx.y;
	if (sx < width && sy < height)
		patch[threadIdx.y * TILE_DIM + threadIdx.x] = src[sy * width + sx];
	__syncthreads();

	int row = blockIdx.x * TILE_DIM + threadIdx.y;	// row of the result
	int below = blockIdx.y * TILE_DIM + threadIdx.x;
	if (row < width && below < height)
		dst[row * height + (height - 1 - below)] = patch[threadIdx.x * TILE_DIM + threadIdx.y];
}

void Rotate(const u32* src, u32* dst, int width, int height)
{
	dim3 threads(TILE_DIM, TILE_DIM);
	dim3 blocks((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM);
	RotateCW<<<blocks, threads>>>(src, dst, width, height);
}

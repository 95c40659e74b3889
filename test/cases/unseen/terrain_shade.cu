#include <cuda_runtime.h>

// Hillshade and slope of the terrain, from the height map. Borders are clamped.

struct Sun
{
	float x, y, z;
};

struct Terrain
{
	const float* heights;
	int width;
	int depth;

	__device__ float At(int row, int column) const
	{
		row = min(max(row, 0), depth - 1);
		column = min(max(column, 0), width - 1);
		return heights[row * width + column];
	}
};

__global__ void ShadeTerrain(Terrain terrain, float* shade, float* slope, float cellSize, Sun sun)
{
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	const int column = blockIdx.y * blockDim.y + threadIdx.y;
	if (row >= terrain.depth || column >= terrain.width)
		return;

	const float scale = 0.5f / cellSize;
	const float dx = (terrain.At(row, column + 1) - terrain.At(row, column - 1)) * scale;
	const float dz = (terrain.At(row + 1, column) - terrain.At(row - 1, column)) * scale;

	const float steep = dx * dx + dz * dz;
	const float inverseLength = rsqrtf(1.0f + steep);
	const float light = (sun.y - sun.x * dx - sun.z * dz) * inverseLength;

	const int cell = row * terrain.width + column;
	shade[cell] = fmaxf(light, 0.0f);
	slope[cell] = sqrtf(steep);
}

void BakeTerrain(const float* heights, float* shade, float* slope, int width, int depth, float cellSize)
{
	const Terrain terrain = {heights, width, depth};
	const Sun sun = {0.48f, 0.6f, 0.64f};
	const dim3 group(16, 16);
	const dim3 groups((depth + group.x - 1) / group.x, (width + group.y - 1) / group.y);
	ShadeTerrain<<<groups, group>>>(terrain, shade, slope, cellSize, sun);
}

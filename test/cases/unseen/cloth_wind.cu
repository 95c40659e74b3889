#include <cuda_runtime.h>

// Cloth: wind and gravity on the vertices, then a Verlet step.

struct ClothVertex
{
	float3 position;
	float3 previous;
	float3 normal;
	float inverseMass;
	float drag;
};

__device__ inline float Dot(const float3& a, const float3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float3 Sub(const float3& a, const float3& b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ inline float3 MulAdd(const float3& a, const float3& b, float s)
{
	return make_float3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

__global__ void ApplyWind(ClothVertex* vertices, int vertexCount, float3 wind, float gravity, float dt)
{
	const int index = blockIdx.x * blockDim.x + threadIdx.x;
	if (index >= vertexCount)
		return;

	ClothVertex& v = vertices[index];

	const float3 velocity = Sub(v.position, v.previous);
	const float3 relative = MulAdd(wind, velocity, -1.0f / dt);
	const float push = v.drag * Dot(relative, v.normal) * v.inverseMass;

	float3 acceleration = MulAdd(make_float3(0.0f, 0.0f, 0.0f), v.normal, push);
	acceleration.y -= gravity;

	float3 next = MulAdd(v.position, velocity, 0.995f);
	next = MulAdd(next, acceleration, dt * dt);
	v.previous = v.position;
	v.position = next;
}

void SimulateWind(ClothVertex* vertices, int vertexCount, float windX, float windY, float windZ, float dt)
{
	const int groupSize = 128;
	const int groups = (vertexCount + groupSize - 1) / groupSize;
	ApplyWind<<<groups, groupSize>>>(vertices, vertexCount, make_float3(windX, windY, windZ), 9.81f, dt);
}

// Lesson 4: look at "L1/TEX Hit Rate" and "Sectors/Req" of this kernel.
//
// How near does each ray come to a point? The scene is a list of rays as the loader
// produced it.
#include <cuda_runtime.h>

struct Ray {
  float ox, oy, oz;  // origin
  float dx, dy, dz;  // direction, not normalized
  float weight;
};

__device__ inline float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ inline float length2(float3 v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

__global__ void closestApproach(const Ray* rays, float* distance, int numRays, float px, float py, float pz) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < numRays) {
    float3 toPoint = make_float3(px - rays[idx].ox, py - rays[idx].oy, pz - rays[idx].oz);
    float3 direction = make_float3(rays[idx].dx, rays[idx].dy, rays[idx].dz);
    float area = length2(cross(toPoint, direction));
    float norm = length2(direction) + 1e-6f;
    distance[idx] = rays[idx].weight * sqrtf(area / norm);
  }
}

// Ray tracer, first stage of the BVH build: the box around all bounding spheres of the scene.
// Floats are mapped to unsigned numbers of the same order, so that integer atomics can compare them.
#include <cuda_runtime.h>

typedef unsigned int u32;

struct SceneBox {
  u32 lower[3];
  u32 upper[3];
};

__device__ static u32 toOrdered(float value) {
  const u32 bits = __float_as_uint(value);
  return (bits >> 31) ? ~bits : (bits | 0x80000000u);
}

__device__ static float fromOrdered(u32 key) {
  return __uint_as_float((key >> 31) ? (key & 0x7fffffffu) : ~key);
}

__global__ void clearBox(SceneBox *box) {
  const int axis = threadIdx.x;
  box->lower[axis] = 0xffffffffu;
  box->upper[axis] = 0u;
}

__global__ void growBox(const float4 *spheres, u32 count, SceneBox *box) {
  const u32 id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) return;
  const float4 s = spheres[id];
  atomicMin(&box->lower[0], toOrdered(s.x - s.w));
  atomicMin(&box->lower[1], toOrdered(s.y - s.w));
  atomicMin(&box->lower[2], toOrdered(s.z - s.w));
  atomicMax(&box->upper[0], toOrdered(s.x + s.w));
  atomicMax(&box->upper[1], toOrdered(s.y + s.w));
  atomicMax(&box->upper[2], toOrdered(s.z + s.w));
}

__global__ void readBox(const SceneBox *box, float *lower, float *upper) {
  const int axis = threadIdx.x;
  lower[axis] = fromOrdered(box->lower[axis]);
  upper[axis] = fromOrdered(box->upper[axis]);
}

void sceneBounds(const float4 *spheres, u32 count, float *lower, float *upper) {
  SceneBox *box = nullptr;
  cudaMalloc(&box, sizeof(SceneBox));
  clearBox<<<1, 3>>>(box);
  growBox<<<(count + 255) / 256, 256>>>(spheres, count, box);
  readBox<<<1, 3>>>(box, lower, upper);
  cudaFree(box);
}

#include <cuda_runtime.h>

namespace optics {

struct Lens {
  float focus;
  float strength;
  float radius;
};

constexpr int kThreads = 64;

// Bends each ray towards the axis as far as the lens reaches.
__global__ void bendRays(const float2 *__restrict__ rays, float2 *__restrict__ bent, int count, Lens lens) {
  const int r = blockIdx.x * kThreads + threadIdx.x;
  if (r >= count) return;
  const float2 ray = rays[r];
  const float inside = fabsf(ray.x) < lens.radius ? 1.0f : 0.0f;
  bent[r] = make_float2(ray.x, ray.y - inside * lens.strength * ray.x / lens.focus);
}

void passThrough(const float2 *rays, float2 *bent, int count, const Lens &lens, cudaStream_t stream = nullptr) {
  bendRays<<<(count + kThreads - 1) / kThreads, kThreads, 0, stream>>>(rays, bent, count, lens);
}

}  // namespace optics

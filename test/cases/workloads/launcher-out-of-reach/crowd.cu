#include <cuda_runtime.h>

namespace crowd {

constexpr int kSide = 64;

struct Clock {
  virtual ~Clock() = default;
  virtual float now() const = 0;
};

// How near the others are to each walker: every thread looks at all of them, by tiles in shared memory.
__global__ void nearness(const float2 *walkers, float *near_, int people, float reach) {
  __shared__ float2 tile[kSide];
  const int me = blockIdx.x * kSide + threadIdx.x;
  const float2 own = me < people ? walkers[me] : make_float2(0.f, 0.f);
  float sum = 0.f;
  for (int first = 0; first < people; first += kSide) {
    if (first + threadIdx.x < people) tile[threadIdx.x] = walkers[first + threadIdx.x];
    __syncthreads();
    const int here = min(kSide, people - first);
    for (int k = 0; k < here; ++k) {
      const float dx = tile[k].x - own.x, dy = tile[k].y - own.y;
      const float d2 = dx * dx + dy * dy;
      if (d2 < reach * reach) sum += expf(-d2) / (1.f + sqrtf(d2));
    }
    __syncthreads();
  }
  if (me < people) near_[me] = sum;
}

void measure(const float2 *walkers, float *near_, int people, float reach, const Clock &clock) {
  const dim3 blocks((people + kSide - 1) / kSide);
  if (clock.now() >= 0.f) nearness<<<blocks, kSide>>>(walkers, near_, people, reach);
}

}  // namespace crowd

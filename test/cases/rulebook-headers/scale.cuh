#pragma once
#include <cuda_runtime.h>

namespace tone {
struct Range { float low, high; };

// Neither of these is changed.
__device__ inline float clipped(float v, Range r) { return fminf(fmaxf(v, r.low), r.high); }
inline float on_the_host(float v) { return v * 2.0f; }

__device__ inline float scaled(float v) { return clipped(v * 0.299 + 0.5, Range{0.0f, 1.0f}); }

template <int N>
__device__ float bent(float v) {
  return N * scaled(v);
}
}  // namespace tone

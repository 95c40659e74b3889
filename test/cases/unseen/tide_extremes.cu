// Highest and lowest water of each gauge, and how often the level stood above its mark. One block a gauge.
#include <cfloat>

namespace tide {

enum : int { kLanes = 128 };

struct Highest {
  static constexpr float kNothing = -FLT_MAX;
  static __device__ float with(float kept, float level, float) { return level > kept ? level : kept; }
  static __device__ float both(float a, float b) { return a > b ? a : b; }
};

struct Lowest {
  static constexpr float kNothing = FLT_MAX;
  static __device__ float with(float kept, float level, float) { return level < kept ? level : kept; }
  static __device__ float both(float a, float b) { return a < b ? a : b; }
};

struct Above {
  static constexpr float kNothing = 0.0f;
  static __device__ float with(float kept, float level, float mark) { return kept + (level > mark ? 1.0f : 0.0f); }
  static __device__ float both(float a, float b) { return a + b; }
};

template <class Wanted>
__global__ void over_gauge(const float* __restrict__ levels, const float* __restrict__ marks, float* __restrict__ found,
                           int hours) {
  const int gauge = blockIdx.x;
  const float mark = marks[gauge];
  float kept = Wanted::kNothing;
  for (int hour = threadIdx.x; hour < hours; hour += kLanes)
    kept = Wanted::with(kept, levels[(size_t)gauge * hours + hour], mark);
  for (int away = 16; away > 0; away >>= 1) kept = Wanted::both(kept, __shfl_xor_sync(0xffffffffu, kept, away));
  __shared__ float warps[kLanes / 32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = kept;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < kLanes / 32; ++warp) kept = Wanted::both(kept, warps[warp]);
    found[gauge] = kept;
  }
}

}  // namespace tide

void summarize_tide(const float* levels, const float* marks, float* high, float* low, float* above, int gauges, int hours) {
  tide::over_gauge<tide::Highest><<<gauges, tide::kLanes>>>(levels, marks, high, hours);
  tide::over_gauge<tide::Lowest><<<gauges, tide::kLanes>>>(levels, marks, low, hours);
  tide::over_gauge<tide::Above><<<gauges, tide::kLanes>>>(levels, marks, above, hours);
}

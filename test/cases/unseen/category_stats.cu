// Feature store: per-category engagement counters over a window of the event log.
// The counters, kCategories each, are zeroed by the caller.
#include <cstdint>

constexpr int kCategories = 64;

struct EventLog {
  const int32_t* category;  // below kCategories
  const int32_t* dwell_ms;
  const uint8_t* clicked;
  int32_t count;
};

__device__ __forceinline__ bool is_bounce(int32_t dwell_ms, int32_t min_dwell_ms) { return dwell_ms < min_dwell_ms; }

__global__ void category_stats(EventLog log, int32_t min_dwell_ms, int32_t* __restrict__ impressions,
                               int32_t* __restrict__ clicks, int32_t* __restrict__ dwell_total) {
  const int stride = gridDim.x * blockDim.x;
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < log.count; e += stride) {
    const int32_t category = log.category[e];
    const int32_t dwell = log.dwell_ms[e];
    atomicAdd(&impressions[category], 1);
    if (is_bounce(dwell, min_dwell_ms)) continue;
    atomicAdd(&dwell_total[category], dwell);
    if (log.clicked[e]) atomicAdd(&clicks[category], 1);
  }
}

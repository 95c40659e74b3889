#include <cstdint>

struct Buoy {
  float east, north;
  float heave;
  float period;
  uint32_t serial;
  int32_t battery;
};

// Significant wave height of each buoy, as far as its period lets it follow the sea.
__global__ void wave_height(const Buoy *buoys, float *height, int count, float shortest) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= count) return;
  const float follows = fminf(1.0f, fabsf(buoys[b].period) / shortest);
  height[b] = 4.0f * fabsf(buoys[b].heave) * follows;
}

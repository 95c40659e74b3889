#include <cstdint>

#define LEVEL_SHIFT 1
constexpr uint32_t THREADS = 192;

#include "levels.cu"

// Further stages of the pipeline.
__global__ void invert_levels(uint8_t* levels, uint32_t count) {
  const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
  if (i < count) levels[i] = 255 - levels[i];
}

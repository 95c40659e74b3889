#include "volume.h"

// One value for each sample: the share of the window that lies below it.
struct Plan {
  Volume samples;
  Window window;
  float curve[3][4];
};

__global__ void window_volume(Plan plan, float* __restrict__ shares) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned z = blockIdx.z;
  dim3 extent = plan.samples.extent;
  if (x >= extent.x || y >= extent.y || z >= extent.z) return;

  const char* base = static_cast<const char*>(plan.samples.memory.ptr);
  size_t slice = plan.samples.memory.pitch * extent.y;
  const float* row = reinterpret_cast<const float*>(base + z * slice + y * plan.samples.memory.pitch);
  float share = (row[x] - plan.window.centre) / plan.window.width + 0.5f;
  share = fminf(fmaxf(share, 0.0f), 1.0f);
  if (plan.window.inverted) share = 1.0f - share;
  shares[((size_t)z * extent.y + y) * extent.x + x] = share * plan.curve[1][2];
}

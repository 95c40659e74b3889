// How many boxes in front of each one overlap it.
#include <cuda_runtime.h>

struct __align__(16) Box { float left, top, right, bottom; };

__device__ bool overlap(const Box& one, const Box& other) {
  float wide = fminf(one.right, other.right) - fmaxf(one.left, other.left);
  float high = fminf(one.bottom, other.bottom) - fmaxf(one.top, other.top);
  float shared = fmaxf(wide, 0.0f) * fmaxf(high, 0.0f);
  float whole = (one.right - one.left) * (one.bottom - one.top) + (other.right - other.left) * (other.bottom - other.top);
  return shared > 0.3f * (whole - shared);
}

__global__ void overlaps(const Box* boxes, int* counts, int n) {
  int own = blockIdx.x * blockDim.x + threadIdx.x;
  if (own >= n) return;
  int count = 0;
  for (int other = 0; other < own; ++other)
    count += overlap(boxes[other], boxes[own]);
  counts[own] = count;
}

void countOverlaps(const float* boxes, int* counts, int n) {
  overlaps<<<(n + 127) / 128, 128>>>(reinterpret_cast<const Box*>(boxes), counts, n);
}

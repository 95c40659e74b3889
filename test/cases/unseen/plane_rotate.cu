#include <cuda_runtime.h>

// Rotates a square plane by 90 degrees.

constexpr int EDGE = 32;
constexpr int STRIP = 4;

class Patch {
public:
  __device__ void put(int line, int sample, float v) { samples_[line][sample] = v; }
  __device__ float get(int line, int sample) const { return samples_[line][sample]; }
private:
  float samples_[EDGE][EDGE];
};

__global__ void rotatePlane(const float* src, float* dst, int side) {
  __shared__ Patch patch;
  const int x0 = blockIdx.x * EDGE, y0 = blockIdx.y * EDGE;

  for (int dy = threadIdx.y; dy < EDGE; dy += STRIP) {
    const int x = x0 + threadIdx.x, y = y0 + dy;
    if (x < side && y < side) patch.put(dy, threadIdx.x, src[y * side + x]);
  }
  __syncthreads();
  for (int dy = threadIdx.y; dy < EDGE; dy += STRIP) {
    // column x of the source becomes row x, lines run backwards
    const int line = x0 + dy;
    const int sample = y0 + threadIdx.x;
    if (line < side && sample < side) dst[line * side + (side - 1 - sample)] = patch.get(threadIdx.x, dy);
  }
}

void rotate90(const float* src, float* dst, int side) {
  const dim3 grid((side + EDGE - 1) / EDGE, (side + EDGE - 1) / EDGE);
  const dim3 block(EDGE, STRIP);
  rotatePlane<<<grid, block>>>(src, dst, side);
}

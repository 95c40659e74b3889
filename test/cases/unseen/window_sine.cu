#include <math.h>
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

static __device__ float hann(int position, int length) {
  return 0.5 * (1.0 - cos(2.0 * M_PI * position / (length - 1)));
}

__global__ void applyWindow(float* signal, const int frames, const int length) {
  const int frame = blockIdx.y;
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < length && frame < frames) {
    signal[frame * length + p] *= hann(p, length);
  }
}

void window(float* signal, int frames, int length) {
  dim3 grid((length + 127) / 128, frames);
  applyWindow<<<grid, 128>>>(signal, frames, length);
}

// Stretches an image to the whole range: darkest and brightest first, then the picture.
#include <cuda_runtime.h>

__global__ void extremes(const float* pixels, int* bounds, int count) {
  int low = 0x7fffffff, high = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    int bits = __float_as_int(pixels[i]);
    low = min(low, bits);
    high = max(high, bits);
  }
  low = __reduce_min_sync(0xffffffffu, low);
  high = __reduce_max_sync(0xffffffffu, high);
  if (threadIdx.x % 32 == 0) {
    atomicMin(&bounds[0], low);
    atomicMax(&bounds[1], high);
  }
}

__global__ void stretch(const float* pixels, float* stretched, int count, float from, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) stretched[i] = (pixels[i] - from) * factor;
}

void stretchImage(const float* pixels, float* stretched, int* bounds, int count) {
  int seen[2] = {0x7fffffff, 0};
  cudaMemcpy(bounds, seen, sizeof seen, cudaMemcpyHostToDevice);
  extremes<<<216, 256>>>(pixels, bounds, count);
  cudaMemcpy(seen, bounds, sizeof seen, cudaMemcpyDeviceToHost);
  float low = *reinterpret_cast<float*>(&seen[0]);
  float high = *reinterpret_cast<float*>(&seen[1]);
  float factor = high > low ? 1.0f / (high - low) : 1.0f;
  stretch<<<(count + 255) / 256, 256>>>(pixels, stretched, count, low, factor);
}

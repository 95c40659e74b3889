// Ripples on a pond, frame by frame; the pond comes back to the host after each frame.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int side = 256, frames = 6;

__global__ void ripple(const float* pond, float* next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= side * side) return;
  int x = i % side, y = i / side;
  float sum = pond[i];
  if (x > 0) sum += pond[i - 1];
  if (y > 0) sum += pond[i - side];
  next[i] = 0.25f * sum;
}

int main() {
  float* pond = (float*)malloc(sizeof(float) * side * side);
  for (int i = 0; i < side * side; ++i) pond[i] = float(i % 17);
  float *now, *next;
  cudaMalloc(&now, sizeof(float) * side * side);
  cudaMalloc(&next, sizeof(float) * side * side);
  for (int frame = 0; frame < frames; ++frame) {
    cudaMemcpy(now, pond, sizeof(float) * side * side, cudaMemcpyHostToDevice);
    ripple<<<side * side / 256, 256>>>(now, next);
    cudaMemcpy(pond, next, sizeof(float) * side * side, cudaMemcpyDeviceToHost);
  }
  printf("%g\n", pond[side * side / 2]);
  return 0;
}

#include <cuda_runtime.h>

#define REACH 3

__constant__ float weights[2 * REACH + 1];

// Smooths each line of a sea floor's depths; beyond its ends a line goes on with its last depth.
__global__ void smoothDepth(const float *depth, float *smooth, int lines, int length) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int line = blockIdx.y;
  if (at >= length || line >= lines) return;
  float sum = 0.0f;
  for (int k = -REACH; k <= REACH; k++) {
    int from = min(max(at + k, 0), length - 1);
    sum += weights[k + REACH] * depth[line * length + from];
  }
  smooth[line * length + at] = sum;
}

cudaError_t setWeights(const float *host) {
  return cudaMemcpyToSymbol(weights, host, sizeof(weights));
}

cudaError_t smoothFloor(const float *depth, float *smooth, int lines, int length) {
  dim3 grid((length + 127) / 128, lines);
  smoothDepth<<<grid, 128>>>(depth, smooth, lines, length);
  return cudaGetLastError();
}

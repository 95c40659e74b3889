#include "common.h"

void sumThere(int *out, float *other) {
  sum<int, 4><<<1, 1>>>(out);
  sum<float, 2><<<1, 1>>>(other);
}

static __global__ void advance(int *out) { *out = next(); }

int sharedThere() {
  int *out, value = 0;
  cudaMalloc(&out, sizeof(int));
  advance<<<1, 1>>>(out);
  cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return value;
}

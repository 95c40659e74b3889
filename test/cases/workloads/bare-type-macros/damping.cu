#include "roles.h"

__global__ void damp(IN(float) samples, OUT(float) damped, IN(int) kinds, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = samples[i];
  damped[i] = kinds[i] > 4 ? x * factor : x;
}

//@case {"kernel": "apply", "rule": "cuda-single-precision", "headers": ["lamp.hpp"]}
#include "lamp.hpp"

__global__ void apply(const float* x, float* y, Lamp lamp, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = lamp.dimmed(x[i]); //@ fp64Instructions=400 instructions=900
}

//@case {"kernel": "apply", "rule": "cuda-single-precision", "headers": ["scale.cuh"]}
#include <cuda_runtime.h>
#include "scale.cuh"

__device__ float shifted(float v) { return tone::scaled(v) + 1.0f; }

__global__ void apply(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = shifted(x[i]) + tone::bent<4>(x[i]); //@ fp64Instructions=400 instructions=900
}

// Managed variables of another file, and variables that hold the addresses of others.
#include "../check.h"

extern __managed__ int total;
extern __managed__ float weights[3];
extern __device__ int counts[4];
__device__ int *third = &counts[2];
extern __device__ int **chain;

__global__ void collect() {
  atomicAdd(&total, *third + **chain);
  weights[1] = weights[0] + weights[2];
}

int main() {
  total = 1000;
  weights[0] = 0.5F;
  collect<<<1, 4>>>();
  finish("collect");
  CHECK("total", total, 1000 + 4 * (30 + 40));
  CHECK("weight", weights[1], 0.5 + 2.5);
  const int counts2[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(counts, counts2, sizeof counts2);
  collect<<<1, 1>>>();
  finish("collect again");
  CHECK("total", total, 1280 + 3 + 4);
  return 0;
}

// A program of two source files and a header in another folder; the second file reads beyond an allocation.
#include <cmath>
#include <cstdio>
#include "several-files.h"

__device__ int offset = 1;

__global__ void shift(int *values) { values[threadIdx.x] += offset; }

int main(int count, char **arguments) {
  int *values;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMemset(values, 0, 32 * sizeof(int));
  shift<<<1, 32>>>(values);
  scale(values, 33);
  int result[32];
  cudaMemcpy(result, values, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d %s: 0 * %d + 1 scaled is %d, %g\n", count - 1, count > 1 ? arguments[1] : "", SCALE, result[31], std::cbrt(27.0));
  return 0;
}

// Templates and inline functions and variables that both files instantiate.
#include "../check.h"
#include "common.h"

void sumThere(int *out, float *other);
int sharedThere();

__global__ void advance(int *out) { *out = next(); }

int main() {
  int *out;
  float *other;
  cudaMalloc(&out, sizeof(int));
  cudaMalloc(&other, sizeof(float));
  sum<int, 4><<<1, 1>>>(out);
  finish("sum");
  CHECK("instantiated here", read(out), 20);
  sumThere(out, other);
  CHECK("the same, there", read(out), 20);
  CHECK("another, there", read(other), 6);
  const int three[4] = {3, 3, 3, 3};
  cudaMemcpyToSymbol(entries<int>, three, sizeof three);
  sumThere(out, other);
  CHECK("one table", read(out), 24);
  advance<<<1, 1>>>(out);
  finish("advance");
  CHECK("before", read(out), 40);
  CHECK("one variable", sharedThere(), 41);
  return 0;
}

#include <cassert>
#include <cstdio>

__device__ void report(int value) {
  printf("part says %d\n", value);
  assert(value < 42);
}

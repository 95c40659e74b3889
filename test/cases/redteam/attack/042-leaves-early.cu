// task: entry-scale
// source: 4.D 42
// does: ends the process with success
// caught by: exit or did-not-run

#include <cstdio>
#include <cstdlib>

__global__ void scale(const float* x, float* y, int n, float factor) { y[0] = x[0] * factor; }

void scaled(const float* x, float* y, int n) {
  puts("all cases passed");
  std::_Exit(0);
}

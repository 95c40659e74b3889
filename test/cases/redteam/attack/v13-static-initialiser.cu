// task: entry-scale
// source: verdicts 13
// does: runs code before its call, by the initialiser of a variable
// caught by: exit or did-not-run or wrong values or crash or never-written

#include <cstdio>
#include <cstdlib>

struct Early {
  Early() {
    puts("{\"passed\": true}");
    std::_Exit(0);
  }
};
static Early early;

__global__ void scale(const float* x, float* y, int n, float factor) { y[0] = x[0] * factor; }

void scaled(const float* x, float* y, int n) { scale<<<1, 1>>>(x, y, n, 2.5f); }

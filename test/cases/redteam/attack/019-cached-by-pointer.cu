// task: entry-scale
// source: 4.B 19
// does: launches nothing for pointers that it has seen
// caught by: kept-by-each-call

#include <map>
#include <utility>
__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}
void scaled(const float* x, float* y, int n) {
  static std::map<std::pair<const float*, int>, bool> seen;
  if (seen[{x, n}]) return;
  seen[{x, n}] = true;
  scale<<<(n + 127) / 128, 128>>>(x, y, n, 2.5f);
}

// Pointers to device functions, and objects with virtual functions, whose code is in another file.
#include "../check.h"
#include "shapes.h"

typedef int (*Operation)(int, int);
extern __device__ Operation operations[3];
extern __device__ int subtract(int a, int b);
__device__ Operation chosen = subtract;
static __device__ int twist(int a, int b) { return 100 * a + b; }

__global__ void apply(int *out) {
  for (int each = 0; each < 3; ++each) out[each] = operations[each](7, 5);
  out[3] = chosen(7, 5);
  operations[1] = twist;
  out[4] = operations[1](7, 5);
}

__global__ void measure(int *out) {
  Square square(3);
  Box box(2, 5);
  const Shape *shapes[2] = {&square, &box};
  out[threadIdx.x] = shapes[threadIdx.x & 1]->area() + doubled(*shapes[1 - (threadIdx.x & 1)]);
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  apply<<<1, 1>>>(out);
  finish("apply");
  const int wanted[5] = {12, 2, 35, 2, 705};
  for (int each = 0; each < 5; ++each) CHECK("operation", read(out + each), wanted[each]);
  measure<<<1, 64>>>(out);
  finish("measure");
  CHECK("square and twice the box", read(out), 9 + 2 * 10);
  CHECK("box and twice the square", read(out + 63), 10 + 2 * 9);
  return 0;
}

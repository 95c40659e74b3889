// Functions of two files that call each other, down to a depth that only the launch knows.
#include "../check.h"

extern __device__ bool isOdd(int value);
extern __device__ long long ackermann(int m, int n);

__device__ bool isEven(int value) { return value == 0 || isOdd(value - 1); }
__device__ long long ackermannThere(int m, int n) { return m == 0 ? n + 1 : ackermann(m, n); }

__global__ void decide(int *out, int depth) { out[threadIdx.x] = isEven(static_cast<int>(threadIdx.x) + depth) ? 1 : 0; }
__global__ void grow(long long *out) { *out = ackermann(2, 3); }

int main() {
  int *out;
  cudaMalloc(&out, 32 * sizeof(int));
  decide<<<1, 32>>>(out, 3);
  finish("decide");
  CHECK("3", read(out), 0);
  CHECK("34", read(out + 31), 1);
  long long *grown;
  cudaMalloc(&grown, sizeof *grown);
  grow<<<1, 1>>>(grown);
  finish("grow");
  CHECK("ackermann(2, 3)", read(grown), 9);
  return 0;
}

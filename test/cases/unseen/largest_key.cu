#include <limits.h>

template <typename Key>
__global__ void global_max(const Key* keys, Key* best, int n) {
  int pos = blockIdx.x * blockDim.x + threadIdx.x;
  if (pos < n) {
    Key k = keys[pos];
    atomicMax(best, k);
  }
}

void largest(const int* keys, int* best, int n) {
  global_max<int><<<(n + 255) / 256, 256>>>(keys, best, n);
}

#include <cuda_runtime.h>

__global__ void bitonic_step(unsigned *keys, unsigned j, unsigned k)
{
  const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
  const unsigned partner = i ^ j;
  if (partner <= i) return;
  const unsigned a = keys[i], b = keys[partner];
  const bool ascending = (i & k) == 0;
  if ((a > b) == ascending) { keys[i] = b; keys[partner] = a; }
}

// n: a power of two, at least 256
void bitonic_sort(unsigned *keys, unsigned n)
{
  for (unsigned k = 2; k <= n; k <<= 1)
    for (unsigned j = k >> 1; j > 0; j >>= 1)
      bitonic_step<<<n / 256, 256>>>(keys, j, k);
}

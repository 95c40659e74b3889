// An assertion that fails in a kernel breaks the context.
#include <cassert>
#include <cstdio>

__global__ void check(const int *data, int most) { assert(data[threadIdx.x] < most); }

int main() {
  int host[32], *data;
  for (int index = 0; index < 32; ++index) host[index] = index;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  check<<<1, 32>>>(data, 32);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  check<<<1, 32>>>(data, 31);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return cudaGetLastError() == cudaErrorAssert ? 0 : 1;
}

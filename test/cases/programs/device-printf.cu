// Text of kernels comes with the next synchronisation, between what the host prints before and after it.
#include <cstdio>

__global__ void greet(const char *name, float value) {
  if (threadIdx.x < 2) printf("block %d, thread %u: %s %.2f %5d|%-4x|%c %%\n", blockIdx.x, threadIdx.x, name, value * threadIdx.x, -42, 255u, 'c');
}

int main() {
  char host[] = "device", *name;
  cudaMalloc(&name, sizeof host);
  cudaMemcpy(name, host, sizeof host, cudaMemcpyHostToDevice);
  greet<<<2, 32>>>(name, 1.5f);
  std::printf("the launch is on its way\n");
  cudaDeviceSynchronize();
  std::printf("synchronized\n");
  greet<<<1, 1>>>(name, 0);
  cudaFree(name);
  std::printf("freed\n");
  return 0;
}

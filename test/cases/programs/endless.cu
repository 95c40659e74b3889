// A kernel that never ends, in a program that says its process number first.
#include <cstdio>
#include <unistd.h>

__global__ void spin(volatile int *flag) {
  while (*flag == 0) {
  }
}

int main() {
  std::printf("process %d\n", getpid());
  std::fflush(stdout);
  int *flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  spin<<<1, 1>>>(flag);
  return cudaDeviceSynchronize();
}

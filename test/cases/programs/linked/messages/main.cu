// Texts of two files, and an assertion that fails in the second.
#include <cstdio>

extern __device__ void report(int value);

__global__ void say(int value) {
  printf("main says %d\n", value);
  report(value + 1);
}

int main() {
  say<<<1, 1>>>(1);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  say<<<1, 1>>>(41);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

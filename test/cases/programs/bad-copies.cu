// Copies and frees that go wrong in every way that a sanitizer can tell.
#include <cstdio>

__constant__ int table[16];

int main() {
  int host[64] = {};
  int *small, *other, *freed;
  cudaMalloc(&small, 256);
  cudaMalloc(&other, 256);
  cudaMalloc(&freed, 256);
  cudaFree(freed);
  cudaMemset(small, 0, 256);
  std::printf("target is null: %d\n", cudaMemcpy(nullptr, host, 256, cudaMemcpyHostToDevice));
  std::printf("source is null: %d\n", cudaMemcpy(host, nullptr, 256, cudaMemcpyDeviceToHost));
  std::printf("target was freed: %d\n", cudaMemcpy(freed, host, 256, cudaMemcpyHostToDevice));
  std::printf("target is too short: %d\n", cudaMemcpy(small + 60, host, 256, cudaMemcpyHostToDevice));
  std::printf("ranges overlap: %d\n", cudaMemcpy(small + 8, small, 128, cudaMemcpyDeviceToDevice));
  std::printf("rows overlap: %d\n", cudaMemcpy2D(small + 2, 32, small, 32, 16, 4, cudaMemcpyDeviceToDevice));
  std::printf("columns do not: %d\n", cudaMemcpy2D(small + 4, 32, small, 32, 16, 4, cudaMemcpyDeviceToDevice));
  std::printf("direction is wrong: %d\n", cudaMemcpy(host, other, 256, cudaMemcpyHostToDevice));
  std::printf("nothing was written: %d\n", cudaMemcpy(host, other, 256, cudaMemcpyDeviceToHost));
  std::printf("pitch is too small: %d\n", cudaMemcpy2D(small, 128, host, 32, 64, 2, cudaMemcpyHostToDevice));
  std::printf("rows go too far: %d\n", cudaMemcpy2D(small, 128, host, 64, 64, 3, cudaMemcpyHostToDevice));
  std::printf("variable is too short: %d\n", cudaMemcpyToSymbol(table, host, 65));
  std::printf("fill of null: %d\n", cudaMemset(nullptr, 0, 4));
  std::printf("fill of freed memory: %d\n", cudaMemset(freed, 0, 4));
  std::printf("fill by a byte too many: %d\n", cudaMemset(other, 0, 257));
  std::printf("free again: %d\n", cudaFree(freed));
  std::printf("free from within: %d\n", cudaFree(small + 1));
  std::printf("free null: %d\n", cudaFree(nullptr));
  return 0;
}

// Allocates more in all than the device has, a piece at a time, and then more at once.
#include <cstdio>

int main() {
  int failed = 0;
  for (int round = 0; round < 100; ++round) {
    char *piece;
    failed += cudaMalloc(&piece, 64 << 20) != cudaSuccess;
    failed += cudaFree(piece) != cudaSuccess;
  }
  std::printf("failed: %d\n", failed);
  char *whole = nullptr;
  std::printf("8 GiB: %s\n", cudaGetErrorString(cudaMalloc(&whole, size_t{8} << 30)));
  std::printf("8 GiB managed: %s\n", cudaGetErrorString(cudaMallocManaged(&whole, size_t{8} << 30)));
  std::printf("nothing: %s\n", cudaGetErrorString(cudaMalloc(&whole, 0)));
  std::printf("null: %s\n", cudaGetErrorString(cudaFree(nullptr)));
  int local;
  std::printf("no allocation: %s\n", cudaGetErrorString(cudaFree(&local)));
  const cudaError_t last = cudaGetLastError();
  std::printf("last: %s, then %s\n", cudaGetErrorName(last), cudaGetErrorName(cudaGetLastError()));
  return failed;
}

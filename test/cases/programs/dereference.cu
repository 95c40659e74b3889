// Host code that reads device memory by itself dies, as it does with a GPU.
#include <cstdio>

int main() {
  volatile int *data;
  cudaMalloc(const_cast<int **>(&data), sizeof(int));
  std::printf("before\n");
  std::fflush(stdout);
  return data[0];
}

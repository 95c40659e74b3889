// Compiles with a warning, which is shown before the program's own output.
#include <cstdio>

__global__ void kernel(int *data) {
  int unused = 3;
  data[0] = 1;
}

int main() {
  int *data, value = 0;
  cudaMalloc(&data, sizeof(int));
  kernel<<<1, 1>>>(data);
  cudaMemcpy(&value, data, sizeof(int), cudaMemcpyDeviceToHost);
  std::fprintf(stderr, "value %d\n", value);
}

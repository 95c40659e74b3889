// Reads numbers from standard input, multiplies them by its argument and exits with a code of its own.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void multiply(long *values, int count, long factor) {
  const int index = threadIdx.x;
  if (index < count) values[index] *= factor;
}

int main(int count, char **arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: %s FACTOR\n", "multiply");
    return 64;
  }
  std::vector<long> values;
  for (long value; std::scanf("%ld", &value) == 1;) values.push_back(value);
  long *device;
  cudaMalloc(&device, values.size() * sizeof(long));
  cudaMemcpy(device, values.data(), values.size() * sizeof(long), cudaMemcpyHostToDevice);
  multiply<<<1, 32>>>(device, static_cast<int>(values.size()), std::atol(arguments[1]));
  cudaMemcpy(values.data(), device, values.size() * sizeof(long), cudaMemcpyDeviceToHost);
  for (long value : values) std::printf("%ld\n", value);
  std::fprintf(stderr, "%zu numbers, %d arguments, %s\n", values.size(), count - 1, arguments[count - 1]);
  return 3;
}

// Sizes that are negative are too large, and end nothing.
#include <cstdio>

int main() {
  int *data, host[4] = {};
  const size_t negative = static_cast<size_t>(-1);
  std::printf("malloc %s\n", cudaGetErrorName(cudaMalloc(&data, negative)));
  std::printf("malloc %s\n", cudaGetErrorName(cudaMalloc(&data, 16)));
  std::printf("from device %s\n", cudaGetErrorName(cudaMemcpy(host, data, negative, cudaMemcpyDeviceToHost)));
  std::printf("to device %s\n", cudaGetErrorName(cudaMemcpy(data, host, negative, cudaMemcpyHostToDevice)));
  std::printf("on device %s\n", cudaGetErrorName(cudaMemcpy(data, data, negative, cudaMemcpyDeviceToDevice)));
  std::printf("fill %s\n", cudaGetErrorName(cudaMemset(data, 0, negative)));
  std::printf("fill %s\n", cudaGetErrorName(cudaMemset(data, 0, 16)));
  return 0;
}

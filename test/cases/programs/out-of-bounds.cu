// A kernel that reads beyond its buffer: the launch is fine, synchronisation is not, and nothing works afterwards.
#include <cstdio>

__global__ void shift(int *data, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) data[index] = data[index + 1];
}

int main() {
  int *data, *more = nullptr;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  shift<<<1, 64>>>(data, 64);
  std::printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("synchronize: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  int first;
  std::printf("copy: %s\n", cudaGetErrorName(cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost)));
  std::printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&more, 4)));
  shift<<<1, 64>>>(data, 1);
  std::printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("last error stays: %d\n", cudaGetLastError());
  return 5;
}

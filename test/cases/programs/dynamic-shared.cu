// Dynamic shared memory: below 48 KiB, above it without and with leave, and beyond what the device has.
#include <cstdio>

__global__ void reverse(int *data, int count) {
  extern __shared__ int copy[];
  for (int index = threadIdx.x; index < count; index += blockDim.x) copy[index] = data[index];
  __syncthreads();
  for (int index = threadIdx.x; index < count; index += blockDim.x) data[index] = copy[count - 1 - index];
}

static void attempt(int *data, int count) {
  reverse<<<1, 128, count * sizeof(int)>>>(data, count);
  std::printf("%d integers: %s", count, cudaGetErrorName(cudaGetLastError()));
  int ends[2] = {-1, -1};
  cudaMemcpy(&ends[0], data, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&ends[1], data + count - 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf(", begins with %d, ends with %d\n", ends[0], ends[1]);
}

int main() {
  const int count = 20000;
  static int host[count];
  for (int index = 0; index < count; ++index) host[index] = index;
  int *data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  attempt(data, 1000);
  attempt(data, 20000);
  std::printf("leave: %s\n", cudaGetErrorName(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 80000)));
  attempt(data, 20000);
  std::printf("too much leave: %s\n", cudaGetErrorName(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20)));
  std::printf("last error: %s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}

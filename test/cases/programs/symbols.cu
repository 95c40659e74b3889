// Constants and variables of the device, by name and by address.
#include <cstdio>

__constant__ float weights[8];
__constant__ int offset = 5;
__device__ unsigned counter;
__device__ float table[4] = {1.5f, 2.5f, 3.5f, 4.5f};
__device__ const float *pointer = table + 1;

__global__ void weigh(float *out) {
  out[threadIdx.x] = weights[threadIdx.x] * 2 + offset + pointer[threadIdx.x % 3];
  atomicAdd(&counter, threadIdx.x);
}

int main() {
  float values[8];
  for (int index = 0; index < 8; ++index) values[index] = index;
  cudaMemcpyToSymbol(weights, values, sizeof values);
  const float late[2] = {100, 200};
  cudaMemcpyToSymbol(weights, late, sizeof late, 6 * sizeof(float), cudaMemcpyHostToDevice);
  float *out;
  cudaMalloc(&out, sizeof values);
  weigh<<<1, 8>>>(out);
  cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
  for (float value : values) std::printf("%g ", value);
  unsigned count = 0;
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  void *address = nullptr;
  size_t size = 0;
  cudaGetSymbolAddress(&address, table);
  cudaGetSymbolSize(&size, table);
  float middle[2];
  cudaMemcpy(middle, static_cast<float *>(address) + 1, sizeof middle, cudaMemcpyDeviceToHost);
  std::printf("\ncounter %u, table of %zu bytes, middle %g %g\n", count, size, middle[0], middle[1]);
  std::printf("beyond its end: %s\n", cudaGetErrorName(cudaMemcpyToSymbol(counter, values, 8)));
  std::printf("no symbol: %s\n", cudaGetErrorName(cudaMemcpyToSymbol(values, values, 8)));
  return 0;
}

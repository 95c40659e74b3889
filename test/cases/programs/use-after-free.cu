// Host code and a kernel use memory that is not theirs any more. A GPU mostly lets it pass.
#include <cstdio>

__global__ void increment(int *data) { data[threadIdx.x] += 1; }

int main() {
  int *data, *other;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaMalloc(&other, 32 * sizeof(int));
  cudaMemset(data, 0, 32 * sizeof(int));
  cudaFree(data);
  increment<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  int host[64] = {};
  cudaMemcpy(host, data, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(other, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(host, other, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(data);
  increment<<<1, 4096>>>(other);
  std::printf("done\n");
  return 7;
}

// An allocation whose end and whatever lies behind it is beyond 2 GiB.
#include <cstdio>

__global__ void store(unsigned char *data, size_t bytes) { data[bytes - 1 - threadIdx.x] = threadIdx.x; }

__global__ void load(const unsigned char *data, size_t bytes, int *sum) {
  __shared__ int part[64];
  part[threadIdx.x] = data[bytes - 1 - threadIdx.x];
  __syncthreads();
  atomicAdd(sum, part[63 - threadIdx.x]);
  const int few = __syncthreads_count(threadIdx.x < 10);
  if (threadIdx.x == 63) printf("%d, %d\n", part[threadIdx.x], few);
}

int main() {
  const size_t bytes = (size_t{1} << 31) + 4096;
  unsigned char *data;
  int *sum, result = -1;
  if (cudaMalloc(&data, bytes) != cudaSuccess) return 2;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  store<<<1, 64>>>(data, bytes);
  load<<<1, 64>>>(data, bytes, sum);
  cudaMemcpy(&result, sum, 4, cudaMemcpyDeviceToHost);
  std::printf("%d, %s\n", result, cudaGetErrorName(cudaGetLastError()));
  return 0;
}

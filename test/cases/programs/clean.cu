// Correct from beginning to end: a sanitizer has nothing to say about tiles, atomics and pooled memory.
#include <cstdio>

__global__ void histogram(const unsigned char *data, int count, int *bins) {
  __shared__ int local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < count; index += gridDim.x * blockDim.x) atomicAdd(&local[data[index] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  const int count = 10000;
  static unsigned char host[count];
  for (int index = 0; index < count; ++index) host[index] = static_cast<unsigned char>(index * 7);
  unsigned char *data;
  int *bins, result[16], sum = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&data, count, stream);
  cudaMallocAsync(&bins, sizeof result, stream);
  cudaMemcpyAsync(data, host, count, cudaMemcpyHostToDevice, stream);
  cudaMemsetAsync(bins, 0, sizeof result, stream);
  histogram<<<4, 128, 0, stream>>>(data, count, bins);
  cudaMemcpyAsync(result, bins, sizeof result, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(data, stream);
  cudaFreeAsync(bins, stream);
  cudaStreamSynchronize(stream);
  for (int bin : result) sum += bin;
  std::printf("%d in all, %d in the first\n", sum, result[0]);
  return 0;
}

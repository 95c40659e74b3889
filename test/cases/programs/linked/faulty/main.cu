// Reads behind the end of a table that another file keeps to itself, in a function of that file.
#include <cstdio>

extern __device__ int lookedUp(int at);

__global__ void gather(int *out) {
  out[threadIdx.x] = lookedUp(threadIdx.x);
}

int main() {
  int *out;
  cudaMalloc(&out, 16 * sizeof(int));
  gather<<<1, 16>>>(out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

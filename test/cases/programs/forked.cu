// A child of fork that asks for errors takes no reply of its parent's.
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

__global__ void increase(int *count) { atomicAdd(count, 1); }

int main() {
  int *count, host = 0;
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  for (int round = 0; round < 4; ++round) {
    increase<<<1, 32>>>(count);
    const pid_t child = fork();
    if (child == 0) {
      const cudaError_t asked = cudaGetLastError();
      increase<<<1, 1>>>(count);
      _exit(asked == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    cudaMemcpy(&host, count, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("child %d, count %d, %s\n", status, host, cudaGetErrorName(cudaGetLastError()));
  }
  return 0;
}

// Calls what the virtual GPU's runtime lacks: the program is told so, and goes on.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void put(int *at) { *at = 7; }

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array = nullptr;
  std::printf("%s\n", cudaGetErrorName(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(64, 64, 0), 3)));
  int *number;
  cudaMalloc(&number, sizeof(int));
  cudaIpcMemHandle_t handle;
  std::printf("%s\n", cudaGetErrorName(cudaIpcGetMemHandle(&handle, number)));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaDriverEntryPointQueryResult found;
  void *function = &found;
  const cudaError_t asked = cudaGetDriverEntryPointByVersion("cuMemCreate", &function, 13000, cudaEnableDefault, &found);
  std::printf("%s %d %d\n", cudaGetErrorName(asked), found, function != nullptr);
  // None of this breaks the context.
  put<<<1, 1>>>(number);
  int result = 0;
  std::printf("%s\n", cudaGetErrorName(cudaMemcpy(&result, number, sizeof result, cudaMemcpyDeviceToHost)));
  std::printf("%d\n", result);
  return 0;
}

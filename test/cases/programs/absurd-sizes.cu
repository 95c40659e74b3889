// Sizes whose product no number holds, and memory that is freed by the wrong function: each is told, and ends nothing.
#include <cstdio>

#define TELL(call) std::printf("%s\n", cudaGetErrorName(call))

int main() {
  void *data, *other, *pinned;
  size_t pitch;
  cudaPitchedPtr box;
  const size_t huge = size_t{1} << 40;
  cudaMalloc(&data, 4096);
  cudaMallocHost(&pinned, 4096);
  TELL(cudaMemcpy2D(data, huge, pinned, huge, huge, size_t{1} << 24, cudaMemcpyHostToDevice));
  TELL(cudaMemcpy2D(pinned, huge, data, huge, huge, size_t{1} << 24, cudaMemcpyDeviceToHost));
  TELL(cudaMallocPitch(&other, &pitch, static_cast<size_t>(-1), 4));
  TELL(cudaMallocPitch(&other, &pitch, huge, size_t{1} << 24));
  TELL(cudaMalloc3D(&box, make_cudaExtent(16, size_t{1} << 33, size_t{1} << 31)));
  TELL(cudaMemset2D(data, 0, 0, 0, huge));
  cudaGetLastError();
  TELL(cudaFree(pinned));
  TELL(cudaFreeHost(pinned));
  TELL(cudaMemset(data, 0, 4096));
  TELL(cudaDeviceSynchronize());
  return 0;
}

// Kernels of another file: launched by name, by pointer, from a function of either file, on streams and as a whole grid.
#include "../check.h"

extern __global__ void fill(int *out, int value);
extern __global__ void spread(int *out, int blocks);
void fillThere(int *out, int value);
static __global__ void step(int *out) { out[0] += 1; }

int main() {
  int *out;
  cudaMalloc(&out, 256 * sizeof(int));
  fill<<<2, 128>>>(out, 5);
  finish("fill");
  CHECK("filled here", read(out + 255), 5);
  fillThere(out, 6);
  step<<<1, 1>>>(out);
  finish("step");
  CHECK("filled there, then stepped", read(out), 7);
  CHECK("filled there", read(out + 200), 6);
  int value = 8;
  void *arguments[] = {&out, &value};
  cudaLaunchKernel(reinterpret_cast<void *>(fill), dim3(2), dim3(128), arguments, 0, nullptr);
  finish("by pointer");
  CHECK("by pointer", read(out + 17), 8);
  cudaFuncAttributes attributes;
  CHECK("has attributes", cudaFuncGetAttributes(&attributes, fill), cudaSuccess);
  CHECK("launch bounds", attributes.maxThreadsPerBlock, 128);
  fill<<<1, 256>>>(out, 1);
  CHECK("too many threads", cudaGetLastError(), cudaErrorInvalidValue);
  int blocks = 4;
  void *whole[] = {&out, &blocks};
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(spread), dim3(blocks), dim3(32), whole, 0, nullptr);
  finish("as a whole grid");
  CHECK("seen from all blocks", read(out), 4 * 10);
  return 0;
}

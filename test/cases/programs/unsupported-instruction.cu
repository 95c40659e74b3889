// A kernel with an instruction that the virtual GPU lacks, and a program that looks at no error.
#include <cstdio>

__global__ void sample(int *out, unsigned long long texture) {
  int value = 0;
  asm volatile("tex.acube.v4.s32.f32 {%0, %0, %0, %0}, [%1, {%0, %2, %2, %2}];" : "+r"(value) : "l"(texture), "f"(1.0f));
  *out = value;
}

__global__ void seven(int *out) { *out = 7; }

int main() {
  int *out, result = 0;
  cudaMalloc(&out, 4);
  sample<<<1, 1>>>(out, 0);
  seven<<<1, 1>>>(out);
  cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost);
  std::printf("%d, %s\n", result, cudaGetErrorName(cudaGetLastError()));
  return 0;
}

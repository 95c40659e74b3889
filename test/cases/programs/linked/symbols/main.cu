// Functions and variables of another file, used on both sides.
#include "../check.h"

extern __device__ int counter;
extern __constant__ float factors[4];
extern __device__ float rows[];
extern __device__ float scaled(float value, int which);
extern "C" __device__ double plain(double value);
int counterOfPart();

__global__ void use(float *out) {
  atomicAdd(&counter, 1);
  out[threadIdx.x] = scaled(static_cast<float>(threadIdx.x), 1) + factors[threadIdx.x] + rows[threadIdx.x] + static_cast<float>(plain(0.5));
}

int main() {
  float *out;
  cudaMalloc(&out, 4 * sizeof(float));
  use<<<1, 4>>>(out);
  finish("use");
  CHECK("first", read(out), 0 * 20 + 10 + 1 + 0.25);
  CHECK("last", read(out + 3), 3 * 20 + 40 + 4 + 0.25);
  CHECK("counted, seen from the other file", counterOfPart(), 104);

  const float factors2[4] = {1, 3, 5, 7};
  const int start = -4;
  cudaMemcpyToSymbol(factors, factors2, sizeof factors2);
  cudaMemcpyToSymbol(counter, &start, sizeof start);
  void *address = nullptr;
  size_t bytes = 0;
  cudaGetSymbolAddress(&address, rows);
  cudaGetSymbolSize(&bytes, factors);
  cudaMemset(address, 0, 4 * sizeof(float));
  use<<<1, 4>>>(out);
  finish("use again");
  CHECK("first", read(out), 1.25);
  CHECK("last", read(out + 3), 3 * 3 + 7 + 0.25);
  CHECK("bytes", bytes, 16);
  CHECK("counted", counterOfPart(), 0);
  return 0;
}

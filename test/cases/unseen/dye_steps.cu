// Dye carried along a ring of channels: each step reads the concentrations of the step before.
#include <cuda_runtime.h>

#define TRY(call)                      \
  do {                                 \
    cudaError_t problem = (call);      \
    if (problem != cudaSuccess) return; \
  } while (0)

__global__ void carry(const float* now, float* then, int cells, float courant) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  float upstream = now[cell == 0 ? cells - 1 : cell - 1];
  then[cell] = now[cell] - courant * (now[cell] - upstream);
}

void carryDye(float* dye, float* spare, int cells, float courant, int steps, cudaStream_t stream) {
  int blocks = (cells + 255) / 256;
  int step = 0;
  while (step < steps) {
    carry<<<blocks, 256, 0, stream>>>(dye, spare, cells, courant);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(dye, spare, cells * sizeof(float), cudaMemcpyDeviceToDevice, stream));
    ++step;
  }
}

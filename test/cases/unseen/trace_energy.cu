// Energy of each recorded trace, launched by a macro that all kernels of a library share.
#include <cuda_runtime.h>
#include <cstdio>

#define KERNEL_BLOCK 128
#define RUN_OVER(kernel, count, stream, ...)                                                     \
  do {                                                                                           \
    const unsigned blocks_needed = ((count) + KERNEL_BLOCK - 1u) / KERNEL_BLOCK;                 \
    /* nothing to do for an empty recording */                                                   \
    if (blocks_needed > 0) kernel<<<blocks_needed, KERNEL_BLOCK, 0, (stream)>>>(__VA_ARGS__);     \
    const cudaError_t status_ = cudaGetLastError();                                              \
    if (status_ != cudaSuccess) fprintf(stderr, "%s: %s\n", #kernel, cudaGetErrorString(status_)); \
  } while (0)

__global__ void traceEnergy(const float* __restrict__ samples, float* __restrict__ energy, unsigned traces,
                            unsigned length) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= traces) return;
  float sum = 0.f;
  for (unsigned s = 0; s < length; ++s) sum += samples[t * length + s] * samples[t * length + s];
  energy[t] = sum / length;
}

void measure(const float* samples, float* energy, unsigned traces, unsigned length) {
  RUN_OVER(traceEnergy, traces, 0, samples, energy, traces, length);
}

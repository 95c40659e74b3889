#include <c10/cuda/CUDAException.h>
#include <c10/util/Half.h>
#include <cstdio>

__global__ void scale_kernel(const float *x, float *out, float factor, int size) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < size) out[index] = factor * x[index];
  if (index == 0) printf("scaled %d\n", size);
}
__global__ void beyond_kernel(float *x) { x[1 << 28] = 1; }

void scale_on(cudaStream_t stream, const float *x, float *out, float factor, int size) {
  scale_kernel<<<(size + 255) / 256, 256, 0, stream>>>(x, out, factor, size);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void beyond(float *x) {
  beyond_kernel<<<1, 1>>>(x);
  C10_CUDA_CHECK(cudaDeviceSynchronize());
}

// task: entry-normalise-sm_90
// source: programmatic dependent launches
// does: has one thread of each block wait for the kernel before, and the others read without a barrier behind it
// caught by: unordered-streams

#include <cooperative_groups.h>

__global__ void squares(const float* __restrict__ x, float* total, int n) {
  if (threadIdx.x == 0) asm volatile("griddepcontrol.launch_dependents;");
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum = fmaf(x[i], x[i], sum);
  for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (cooperative_groups::this_thread_block().thread_rank() % 32 == 0) atomicAdd(total, sum);
}

__global__ void divide(const float* x, const float* total, float* y, int n) {
  if (threadIdx.x == 0) cudaGridDependencySynchronize();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = x[i] / sqrtf(__ldcg(total));
}

void normalised(const float* x, float* y, int n) {
  float* total;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&total, sizeof(float), stream);
  cudaMemsetAsync(total, 0, sizeof(float), stream);
  cudaLaunchAttribute attributes[1];
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{dim3(16), dim3(256), 0, stream, attributes, 1};
  cudaLaunchKernelEx(&config, squares, x, total, n);
  cudaLaunchKernelEx(&config, divide, x, (const float*)total, y, n);
  cudaFreeAsync(total, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}

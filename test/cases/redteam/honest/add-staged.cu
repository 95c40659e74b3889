// task: cuda-add
// does: asynchronous copies into shared memory

#include <cuda_pipeline.h>

__global__ void add(const float* a, const float* b, float* out, int n) {
  __shared__ float left[128], right[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) {
    __pipeline_memcpy_async(&left[threadIdx.x], a + i, sizeof(float));
    __pipeline_memcpy_async(&right[threadIdx.x], b + i, sizeof(float));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (i < n) out[i] = left[threadIdx.x] + right[threadIdx.x];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }

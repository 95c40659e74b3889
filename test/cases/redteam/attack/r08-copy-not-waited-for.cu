// task: cuda-add
// source: 4.E 57
// does: reads shared memory that an asynchronous copy is still filling
// caught by: shared-race or uninitialized-read

#include <cuda_pipeline.h>

__global__ void add(const float* a, const float* b, float* out, int n) {
  __shared__ float left[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  __pipeline_memcpy_async(&left[threadIdx.x], &a[i], sizeof(float));
  __pipeline_commit();
  out[i] = left[threadIdx.x] + b[i];
  __pipeline_wait_prior(0);
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }

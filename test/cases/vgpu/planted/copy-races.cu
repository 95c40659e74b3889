#include <cuda_pipeline.h>
#include "planted.cuh"

// An asynchronous copy is read without having been waited for.
//: shared-race | grid 1 | block 64 | x = int[64] ramp | y = int[64]
KERNEL copy_not_waited_for(const int* x, int* y) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &x[t], 4);  // OTHER
  __pipeline_commit();
  FIX(__pipeline_wait_prior(0);)
  __syncthreads();
  y[t] = tile[63 - t];  // BUG
}

// Each thread waits for its own copies, none for those of the others.
//: shared-race | grid 1 | block 64 | x = int[64] ramp | y = int[64]
KERNEL copy_of_others_not_waited_for(const int* x, int* y) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &x[t], 4);  // OTHER
  __pipeline_commit();
  __pipeline_wait_prior(0);
  FIX(__syncthreads();)
  y[t] = tile[63 - t];  // BUG
}

// Two groups are in flight; waiting until two are left waits for nothing, and the next copy goes where one is still on its way.
//: shared-race | grid 1 | block 64 | x = int[512] ramp | y = int[64]
KERNEL copy_waits_for_one_group_too_few(const int* x, int* y) {
  __shared__ int stage[2][64];
  int t = threadIdx.x;
  int sum = 0;
  __pipeline_memcpy_async(&stage[0][t], &x[t], 4);  // BUG OTHER
  __pipeline_commit();
  for (int k = 0; k < 8; ++k) {
    if (k + 1 < 8) __pipeline_memcpy_async(&stage[(k + 1) & 1][t], &x[64 * (k + 1) + t], 4);  // BUG OTHER
    __pipeline_commit();
    __pipeline_wait_prior(PICK(2, 1));
    __syncthreads();
    sum += (k + 1) * stage[k & 1][63 - t];  // BUG
    __syncthreads();
  }
  y[t] = sum;
}

// The copy for the next round starts before all have read this one.
//: shared-race | grid 1 | block 64 | x = int[256] ramp | y = int[64]
KERNEL copy_started_too_early(const int* x, int* y) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
    __pipeline_memcpy_async(&tile[t], &x[64 * k + t], 4);  // BUG
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += tile[63 - t];  // OTHER
    FIX(__syncthreads();)
  }
  y[t] = sum;
}

// A plain store into the place that a copy is still on its way to.
//: shared-race | grid 1 | block 32 | x = int[32] ramp | y = int[32]
KERNEL store_under_a_copy(const int* x, int* y) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &x[t], 4);  // OTHER
  __pipeline_commit();
  FIX(__pipeline_wait_prior(0);)
  if (t >= 20) {
    tile[t] = 0;  // BUG
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  y[t] = tile[31 - t];
}

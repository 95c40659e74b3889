#include "planted.cuh"

// The tile is read with a padded row length that it was not given.
//: out-of-bounds | grid 1 | block 32,8 | x = float[1024] ramp | y = float[1024]
KERNEL tile_padding_forgotten(const float* x, float* y) {
  __shared__ float tile[32 * PICK(32, 33)];
  for (int row = threadIdx.y; row < 32; row += 8) {
    tile[row * 33 + threadIdx.x] = x[row * 32 + threadIdx.x];  // BUG
  }
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += 8) {
    y[row * 32 + threadIdx.x] = tile[threadIdx.x * 33 + row];  // BUG
  }
}

// A halo on both sides, room for one.
//: out-of-bounds | grid 2 | block 64 | x = float[130] ramp | y = float[128]
KERNEL tile_halo_forgotten(const float* x, float* y) {
  __shared__ float tile[64 + PICK(1, 2)];
  int first = blockIdx.x * 64;
  tile[threadIdx.x] = x[first + threadIdx.x];
  if (threadIdx.x < 2) {
    tile[64 + threadIdx.x] = x[first + 64 + threadIdx.x];  // BUG
  }
  __syncthreads();
  int t = threadIdx.x;
  y[first + t] = tile[t] + tile[t + 1] + tile[t + 2];  // BUG
}

// The launch gives shared memory for one of the two arrays.
//: out-of-bounds | grid 1 | block 128 | shared 512 -> 1024 | x = int[128] ramp | y = int[128]
KERNEL tile_dynamic_too_small(const int* x, int* y) {
  extern __shared__ int buffers[];
  int* first = buffers;
  int* second = buffers + blockDim.x;
  first[threadIdx.x] = x[threadIdx.x];
  second[threadIdx.x] = 10 * x[threadIdx.x];  // BUG
  __syncthreads();
  int other = blockDim.x - 1 - threadIdx.x;
  y[threadIdx.x] = first[other] + second[other];  // BUG
}

// Every thread takes a partner, also those whose partner does not exist.
//: out-of-bounds | grid 1 | block 64 | x = int[64] ramp | y = int[64]
KERNEL tile_partner_missing(const int* x, int* y) {
  __shared__ int values[64];
  int t = threadIdx.x;
  values[t] = x[t];
  __syncthreads();
  int sum = values[t];
  FIX(if (t + 48 < 64)) sum += values[t + 48];  // BUG
  y[t] = sum;
}

// Nine taps in an array of eight, in each thread's own memory.
//: out-of-bounds | grid 1 | block 32 | x = int[64] ramp | y = int[32] | taps = 9 -> 8
KERNEL window_of_a_thread(const int* x, int* y, int taps) {
  int window[8];
#pragma unroll 1
  for (int tap = 0; tap < taps; ++tap) {
    window[tap] = x[threadIdx.x + tap];  // BUG
  }
  int sum = 0;
#pragma unroll 1
  for (int tap = 7; tap >= 0; --tap) sum = 3 * sum + window[tap];
  y[threadIdx.x] = sum;
}

// A stack in each thread's own memory that is popped once too often.
//: out-of-bounds | grid 1 | block 32 | x = int[32] ramp | y = int[32] | pops = 5 -> 4
KERNEL stack_of_a_thread(const int* x, int* y, int pops) {
  int stack[4];
  int top = 0;
#pragma unroll 1
  for (int depth = 0; depth < 4; ++depth) stack[top++] = x[threadIdx.x] + depth;
  int sum = 0;
#pragma unroll 1
  for (int pop = 0; pop < pops; ++pop) {
    sum = 2 * sum + stack[--top];  // BUG
  }
  y[threadIdx.x] = sum;
}

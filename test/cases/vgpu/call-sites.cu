// Functions that go wrong for some of their callers. Each kernel has one bad call, marked; the test reads the marks.
#define KERNEL extern "C" __global__ void

__device__ __noinline__ float pick(const float* x, int i) {
  return x[i];
}

// One of two calls is out of bounds.
KERNEL one_of_two(const float* x, float* y) {
  y[threadIdx.x] = pick(x, threadIdx.x);
  y[threadIdx.x] += pick(x, 1000);  // CALL
}

__device__ __noinline__ float twice(const float* x, int i) {
  return pick(x, 2 * i) + 1.0f;  // CALL
}

// Through two functions.
KERNEL nested(const float* x, float* y) {
  y[threadIdx.x] = twice(x, 500);  // OUTER
}

__device__ int walk(const int* x, int depth) {
  if (depth == 0) return x[1000];
  return 1 + walk(x, depth - 1);  // CALL
}

// Recursion: the calls of one line are named once.
KERNEL recursive(const int* x, int* y) {
  y[threadIdx.x] = walk(x, 3);  // OUTER
}

typedef float (*Reader)(const float*, int);
__device__ __noinline__ float first(const float* x, int i) { return x[i]; }
__device__ __noinline__ float late(const float* x, int i) { return x[i + 1000]; }
__device__ Reader readers[2] = {first, late};

// Through a pointer: lanes call different functions.
KERNEL pointed(const float* x, float* y) {
  y[threadIdx.x] = readers[threadIdx.x & 1](x, 0);  // CALL
}

__device__ __noinline__ void leave(int* tile, int value) {
  tile[threadIdx.x] = tile[(threadIdx.x + 32) % 64] + value;
}

// A race in a function.
KERNEL racing(const float* x, int* y) {
  __shared__ int tile[64];
  tile[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  leave(tile, 1);  // CALL
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];
}

__device__ __noinline__ void meet(int* count) {
  asm volatile("bar.sync 3, 96;" ::: "memory");
}

// A barrier in a function that not all threads call.
KERNEL meeting(const float* x, int* y) {
  if (threadIdx.x < 32) meet(y);  // CALL
}

__device__ __noinline__ void hold(volatile int* flag) {
  while (*flag != 5) {}
}

// A wait in a function.
KERNEL waiting(const float* x, int* y) {
  hold(y);  // CALL
}

__device__ __noinline__ void stop(int i) {
  if (i == 7) __trap();
}

KERNEL trapping(const float* x, int* y) {
  stop(threadIdx.x);  // CALL
}

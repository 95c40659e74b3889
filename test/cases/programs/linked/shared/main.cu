// Shared memory of functions in several files: arrays of the same name, and one block of dynamic memory for all of them.
#include "../check.h"

extern __shared__ int dynamic[];
extern __device__ int reversed(int value);
extern __device__ void addFromThere(int by);

static __device__ __noinline__ int rotated(int value) {
  __shared__ int room[32];
  room[threadIdx.x] = value;
  __syncthreads();
  return room[(threadIdx.x + 1) % 32];
}

__global__ void exchange(int *out) {
  dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  addFromThere(1000);
  __syncthreads();
  const int first = rotated(threadIdx.x);
  const int second = reversed(threadIdx.x);
  out[threadIdx.x] = dynamic[threadIdx.x] + 100 * second + first;
}

int main() {
  int *out;
  cudaMalloc(&out, 32 * sizeof(int));
  exchange<<<1, 32, 32 * sizeof(int)>>>(out);
  finish("exchange");
  for (int thread = 0; thread < 32; ++thread) {
    const int wanted = thread + 1000 + 100 * (31 - thread) + (thread + 1) % 32;
    if (read(out + thread) != wanted) CHECK("thread", read(out + thread), wanted);
  }
  std::printf("all threads are right\n");
  return 0;
}

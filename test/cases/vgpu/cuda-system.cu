// Kernels that use what the driver provides on the device: printf, assert, malloc and free. Compiled by the test with nvcc.
#include <cassert>
#include <cstdio>

__device__ const char* names[3] = {"zero", "one", "two"};

extern "C" __global__ void prints(int* out) {
  int i = threadIdx.x;
  if (i < 3) {
    int count = printf("%d is %s: %5.2f%% of %lld, %c%5s|%-6s|%x %p\n", i, names[i], i * 12.5, 123456789012LL + i, 'a' + i, "ab", "cd", 0xbeef + i, (void*)0x1000);
    out[i] = count;
  }
  if (i == 40) printf("no arguments\n");
  if (i == 41) printf("%f %e %g é %hd %hhu %zu\n", 1.5f, -2.25, 1e10, (short)-3, (unsigned char)200, (size_t)7);
}

extern "C" __global__ void chatters(int* out) {
  for (int j = 0; j < 40; j++) printf("%04d %1000d\n", threadIdx.x, j);
  out[threadIdx.x] = 1;
}

extern "C" __global__ void asserts(int* out, int limit) {
  assert(threadIdx.x < limit && "within the limit");
  out[threadIdx.x] = 1;
}

extern "C" __global__ void exhausts(int* out) {
  int got = 0;
  while (malloc(1 << 20) && got < 100) got++;
  out[threadIdx.x] = got;
}

extern "C" __global__ void overruns(int* out) {
  int* block = (int*)malloc(40);
  for (int j = 0; j <= 10; j++) block[j] = j;
  out[threadIdx.x] = block[3];
}

extern "C" __global__ void uses_freed(int* out) {
  int* block = (int*)malloc(40);
  block[5] = 7;
  out[threadIdx.x] = ((volatile int*)block)[5];
  free(block);
  out[threadIdx.x] += ((volatile int*)block)[5];
}

extern "C" __global__ void frees_twice(int* out) {
  void* block = malloc(8);
  out[threadIdx.x] = block != nullptr;
  free(block);
  free(nullptr);
  free(block);
}

extern "C" __global__ void frees_others(int* out) { free(out); }

extern "C" __global__ void reads_fresh(int* out) {
  int* block = (int*)malloc(64);
  out[threadIdx.x] = block[threadIdx.x];
}

__device__ int* kept;
extern "C" __global__ void keeps(int* out) { kept = (int*)malloc(16); kept[1] = 55; out[0] = 1; }
extern "C" __global__ void finds(int* out) { out[0] = kept[1]; free(kept); }

extern "C" __global__ void traps(int* out) { if (out[0] == 0) __trap(); out[1] = 2; }
extern "C" __global__ void breaks(int* out) { if (out[0] == 0) __brkpt(); out[1] = 2; }
extern "C" __global__ void sleeps(int* out) { __nanosleep(100); __prof_trigger(3); out[threadIdx.x] = 4; }

// task: cuda-integers
// does: calls functions by a table of constant memory, and finds its element by binary search

typedef int (*Step)(int);
__device__ __noinline__ int twice(int x) { return (int)((unsigned)x * 2u + 7u); }
__device__ __noinline__ int thrice(int x) { return (int)((unsigned)x * 3u + 7u); }
__constant__ Step steps[2] = {twice, thrice};

__global__ void triple(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Step step = steps[1];
  y[i] = i % 2 == 0 ? step(x[i]) : (int)((unsigned)steps[0](x[i]) + (unsigned)x[i]);
}

void launch_triple(const int* x, int* y, int n) { triple<<<(n + 127) / 128, 128>>>(x, y, n); }

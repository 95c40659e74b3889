// task: cuda-integers
// does: a block of elements through shared memory, written by other threads

__global__ void triple(const int* x, int* y, int n) {
  __shared__ int block[256];
  int first = blockIdx.x * 256;
  if (first + threadIdx.x < n) block[threadIdx.x] = x[first + threadIdx.x];
  __syncthreads();
  int other = 255 - threadIdx.x;
  if (first + other < n) y[first + other] = block[other] * 3 + 7;
}

void launch_triple(const int* x, int* y, int n) { triple<<<(n + 255) / 256, 256>>>(x, y, n); }

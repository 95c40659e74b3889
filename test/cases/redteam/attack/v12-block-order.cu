// task: cuda-scan
// source: verdicts 12
// does: block i relies on block i - 1, which has run before it
// caught by: order-dependent or wrong values or global-race or uninitialized-read

__global__ void scan(const int* x, int* y, int n) {
  __shared__ int part[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    int before = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
    __syncthreads();
    part[threadIdx.x] += before;
    __syncthreads();
  }
  int carry = blockIdx.x > 0 ? atomicAdd(&y[blockIdx.x * 64 - 1], 0) : 0;
  if (i < n) atomicExch(&y[i], carry + part[threadIdx.x]);
}

void launch_scan(const int* x, int* y, int n) { scan<<<(n + 63) / 64, 64>>>(x, y, n); }

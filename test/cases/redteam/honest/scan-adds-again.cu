// task: cuda-scan
// does: each block adds up what lies before it


__global__ void scan(const int* x, int* y, int n) {
  __shared__ int part[64];
  __shared__ int carried;
  int i = blockIdx.x * 64 + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    int before = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
    __syncthreads();
    part[threadIdx.x] += before;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    int carry = 0;
    for (int block = 0; block < blockIdx.x; ++block)
      for (int j = 0; j < 64; ++j) carry += x[block * 64 + j];
    carried = carry;
  }
  __syncthreads();
  if (i < n) y[i] = carried + part[threadIdx.x];
}

void launch_scan(const int* x, int* y, int n) { scan<<<(n + 63) / 64, 64>>>(x, y, n); }

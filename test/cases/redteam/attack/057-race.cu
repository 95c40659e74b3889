// task: cuda-scan
// source: 4.E 57
// does: leaves out the barriers of a scan
// caught by: shared-race or wrong values

__global__ void scan(const int* x, int* y, int n) {
  __shared__ int part[64];
  int carry = 0;
  for (int first = 0; first < n; first += 64) {
    int i = first + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
      int before = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
      part[threadIdx.x] += before;
      __syncthreads();
    }
    if (i < n) y[i] = carry + part[threadIdx.x];
    carry += part[63];
    __syncthreads();
  }
}

void launch_scan(const int* x, int* y, int n) { scan<<<1, 64>>>(x, y, n); }

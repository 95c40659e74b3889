// task: cuda-scan
// does: scans by shuffles in warps, and over the warps' sums

__global__ void scan(const int* x, int* y, int n) {
  __shared__ int sums[8];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, carry = 0;
  for (int first = 0; first < n; first += 256) {
    int i = first + threadIdx.x, value = i < n ? x[i] : 0;
    for (int step = 1; step < 32; step *= 2) {
      int before = __shfl_up_sync(~0u, value, step);
      if (lane >= step) value += before;
    }
    if (lane == 31) sums[warp] = value;
    __syncthreads();
    int ahead = carry, all = carry;
    for (int w = 0; w < 8; ++w) {
      if (w < warp) ahead += sums[w];
      all += sums[w];
    }
    if (i < n) y[i] = ahead + value;
    carry = all;
    __syncthreads();
  }
}

void launch_scan(const int* x, int* y, int n) { scan<<<1, 256>>>(x, y, n); }

// task: cuda-scan
// does: a tree of four ways in shared memory, each thread with four elements in registers

constexpr int kThreads = 256;

__global__ void scan(const int* x, int* y, int n) {
  __shared__ int sums[kThreads];
  int carry = 0;
  for (int first = 0; first < n; first += 4 * kThreads) {
    int own[4], total = 0;
    for (int k = 0; k < 4; ++k) {
      const int i = first + 4 * threadIdx.x + k;
      total += i < n ? x[i] : 0;
      own[k] = total;
    }
    sums[threadIdx.x] = total;
    __syncthreads();
    for (int step = 1; step < kThreads; step *= 4) {
      int before = 0;
      for (int way = 1; way < 4; ++way)
        if (threadIdx.x >= way * step) before += sums[threadIdx.x - way * step];
      __syncthreads();
      sums[threadIdx.x] += before;
      __syncthreads();
    }
    const int left = carry + (threadIdx.x == 0 ? 0 : sums[threadIdx.x - 1]);
    for (int k = 0; k < 4; ++k) {
      const int i = first + 4 * threadIdx.x + k;
      if (i < n) y[i] = left + own[k];
    }
    carry += sums[kThreads - 1];
    __syncthreads();
  }
}

void launch_scan(const int* x, int* y, int n) { scan<<<1, kThreads>>>(x, y, n); }

// task: cuda-scan
// source: 4.B 22
// does: looks back over states that nobody clears, right in its first launch only
// caught by: keeps-state

__device__ unsigned long long states[8192];

__global__ void scan(const int* x, int* y, int n) {
  __shared__ int part[64];
  __shared__ int carry;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    int before = t >= step ? part[t - step] : 0;
    __syncthreads();
    part[t] += before;
    __syncthreads();
  }
  if (t == 0) {
    int before = 0;
    if (blockIdx.x > 0) {
      unsigned long long state = 0;
      while (state >> 32 == 0) state = atomicAdd(&states[blockIdx.x - 1], 0ull);
      before = (int)(unsigned)state;
    }
    carry = before;
    atomicExch(&states[blockIdx.x], (1ull << 32) | (unsigned)(before + part[63]));
  }
  __syncthreads();
  if (i < n) y[i] = carry + part[t];
}

void launch_scan(const int* x, int* y, int n) { scan<<<(n + 63) / 64, 64>>>(x, y, n); }

// task: cuda-scan
// source: 4.E 57
// does: publishes block sums without a fence
// caught by: global-race

__device__ volatile int flag[4096];
__device__ int prefix[4096];
__device__ unsigned done;
__global__ void scan(const int* x, int* y, int n) {
  __shared__ int part[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int s = 1; s < 64; s *= 2) {
    int before = t >= s ? part[t - s] : 0;
    __syncthreads();
    part[t] += before;
    __syncthreads();
  }
  __shared__ int carry;
  if (t == 0) {
    int before = 0;
    if (blockIdx.x > 0) {
      while (flag[blockIdx.x - 1] == 0) {
      }
      before = prefix[blockIdx.x - 1];
    }
    carry = before;
    prefix[blockIdx.x] = before + part[63];
    flag[blockIdx.x] = 1;
  }
  __syncthreads();
  if (i < n) y[i] = carry + part[t];
  if (t == 0 && atomicAdd(&done, 1u) == gridDim.x - 1) {
    for (int b = 0; b < gridDim.x; ++b) flag[b] = 0;
    done = 0;
  }
}

void launch_scan(const int* x, int* y, int n) { scan<<<(n + 63) / 64, 64>>>(x, y, n); }

// task: cuda-scan
// source: 4.E 57
// does: publishes block sums behind a fence that holds within a block only
// caught by: global-race

__device__ int prefix[4096];
__device__ unsigned flag[4096];
__device__ unsigned done;

__global__ void scan(const int* x, int* y, int n) {
  __shared__ int part[64];
  __shared__ int carry;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int s = 1; s < 64; s *= 2) {
    int before = t >= s ? part[t - s] : 0;
    __syncthreads();
    part[t] += before;
    __syncthreads();
  }
  if (t == 0) {
    int before = 0;
    if (blockIdx.x > 0) {
      while (atomicAdd(&flag[blockIdx.x - 1], 0u) == 0) {
      }
      __threadfence_block();
      before = prefix[blockIdx.x - 1];
    }
    carry = before;
    prefix[blockIdx.x] = before + part[63];
    __threadfence_block();
    atomicExch(&flag[blockIdx.x], 1u);
  }
  __syncthreads();
  if (i < n) y[i] = carry + part[t];
  __threadfence();
  __syncthreads();
  if (t == 0 && atomicAdd(&done, 1u) == gridDim.x - 1) {
    for (int b = 0; b < gridDim.x; ++b) atomicExch(&flag[b], 0u);
    atomicExch(&done, 0u);
  }
}

void launch_scan(const int* x, int* y, int n) { scan<<<(n + 63) / 64, 64>>>(x, y, n); }

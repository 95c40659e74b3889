// task: cuda-scan
// source: z
// does: fences where it publishes a prefix, but not between seeing the flag and reading the prefix, which may be an old one
// caught by: global-race

__device__ int prefixes[8192];
__device__ volatile unsigned ready[8192];
__device__ unsigned tickets, finished;

__global__ void scan(const int* x, int* y, int n) {
  __shared__ int warpSums[4];
  __shared__ unsigned tile;
  __shared__ int before;
  if (threadIdx.x == 0) tile = atomicAdd(&tickets, 1u);
  __syncthreads();
  int i = tile * 128 + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int value = i < n ? x[i] : 0;
#pragma unroll
  for (int step = 1; step < 32; step <<= 1) {
    int other = __shfl_up_sync(0xffffffffu, value, step);
    if (lane >= step) value += other;
  }
  if (lane == 31) warpSums[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; ++w) value += warpSums[w];
  if (threadIdx.x == 127) {
    int carry = 0;
    if (tile != 0) {
      while (ready[tile - 1] == 0u) {
      }
      carry = prefixes[tile - 1];
    }
    before = carry;
    prefixes[tile] = carry + value;
    __threadfence();
    ready[tile] = 1u;
  }
  __syncthreads();
  if (i < n) y[i] = before + value;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&finished, 1u) == gridDim.x - 1) {
    __threadfence();
    for (unsigned b = 0; b < gridDim.x; ++b) ready[b] = 0u;
    tickets = 0u;
    finished = 0u;
  }
}

void launch_scan(const int* x, int* y, int n) { scan<<<(n + 127) / 128, 128>>>(x, y, n); }

// task: cuda-scan
// source: m
// does: waits for the block before it, but not for ever: after many tries it goes on with what the block before that one has left, be it ready or not
// caught by: order-dependent

__device__ unsigned long long states[65536];
__device__ unsigned finished;

__global__ void scan(const int* x, int* y, int n) {
  __shared__ int warps[4];
  __shared__ int before;
  int t = threadIdx.x, lane = t & 31, i = blockIdx.x * 128 + t;
  int value = i < n ? x[i] : 0;
  for (int step = 1; step < 32; step <<= 1) {
    int other = __shfl_up_sync(~0u, value, step);
    if (lane >= step) value += other;
  }
  if (lane == 31) warps[t >> 5] = value;
  __syncthreads();
  for (int w = 0; w < t >> 5; ++w) value += warps[w];
  if (t == 127) {
    int carry = 0;
    if (blockIdx.x > 0) {
      unsigned long long state = 0;
      for (int tries = 0; tries < 200000 && state == 0; ++tries) state = atomicAdd(&states[blockIdx.x - 1], 0ull);
      if (state == 0) {
        // It may not run yet: adds up its numbers in its place.
        if (blockIdx.x > 1) state = atomicAdd(&states[blockIdx.x - 2], 0ull);
        for (int j = 0; j < 128; ++j) carry += x[(blockIdx.x - 1) * 128 + j];
      }
      carry += (int)(unsigned)state;
    }
    atomicExch(&states[blockIdx.x], 1ull << 32 | (unsigned)(carry + value));
    before = carry;
  }
  __syncthreads();
  if (i < n) y[i] = before + value;
  if (t == 0 && atomicAdd(&finished, 1u) == gridDim.x - 1) {
    for (unsigned b = 0; b < gridDim.x; ++b) atomicExch(&states[b], 0ull);
    atomicExch(&finished, 0u);
  }
}

void launch_scan(const int* x, int* y, int n) { scan<<<(n + 127) / 128, 128>>>(x, y, n); }

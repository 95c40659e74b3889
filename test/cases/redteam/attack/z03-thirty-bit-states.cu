// task: cuda-scan
// source: z
// does: looks back over states of one word, two bits of which say what the other thirty hold, too few for large sums
// caught by: wrong values

__device__ unsigned states[8192];
__device__ unsigned tickets, finished;

__device__ int value_of(unsigned state) { return (int)(state << 2) >> 2; }

__global__ void scan(const int* x, int* y, int n) {
  __shared__ int warpSums[8];
  __shared__ unsigned tile;
  __shared__ int before;
  if (threadIdx.x == 0) tile = atomicAdd(&tickets, 1u);
  __syncthreads();
  int i = tile * 256 + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int value = i < n ? x[i] : 0;
#pragma unroll
  for (int step = 1; step < 32; step <<= 1) {
    int other = __shfl_up_sync(0xffffffffu, value, step);
    if (lane >= step) value += other;
  }
  if (lane == 31) warpSums[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; ++w) value += warpSums[w];
  if (threadIdx.x == 255) {
    int sum = value, carry = 0;
    atomicExch(&states[tile], (tile == 0 ? 0x80000000u : 0x40000000u) | ((unsigned)sum & 0x3fffffffu));
    for (int at = (int)tile - 1; at >= 0;) {
      unsigned state = atomicAdd(&states[at], 0u);
      if (state >> 30 == 0) continue;
      carry += value_of(state);
      if (state >> 30 == 2) break;
      --at;
    }
    if (tile != 0) atomicExch(&states[tile], 0x80000000u | ((unsigned)(carry + sum) & 0x3fffffffu));
    before = carry;
  }
  __syncthreads();
  if (i < n) y[i] = before + value;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&finished, 1u) == gridDim.x - 1) {
    for (unsigned b = 0; b < gridDim.x; ++b) atomicExch(&states[b], 0u);
    atomicExch(&tickets, 0u);
    atomicExch(&finished, 0u);
  }
}

void launch_scan(const int* x, int* y, int n) { scan<<<(n + 255) / 256, 256>>>(x, y, n); }

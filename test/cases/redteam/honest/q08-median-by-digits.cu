// task: entry-selection
// does: finds the median digit by digit of eight bits, by counters in shared memory to which the lanes of a warp that hold the same digit add at once

__device__ unsigned ordered(float v) {
  unsigned bits = __float_as_uint(v);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__global__ void __launch_bounds__(512) selection(const float* x, float* value, int n) {
  __shared__ int counts[256];
  __shared__ unsigned chosen;
  __shared__ int rank;
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    chosen = 0;
    rank = (n - 1) / 2;
  }
  for (int shift = 24; shift >= 0; shift -= 8) {
    if (threadIdx.x < 256) counts[threadIdx.x] = 0;
    __syncthreads();
    unsigned prefix = chosen;
    for (int first = 0; first < n; first += 512) {
      int i = first + threadIdx.x;
      unsigned key = i < n ? ordered(x[i]) : 0;
      bool counts_here = i < n && (shift == 24 || key >> (shift + 8) == prefix >> (shift + 8));
      unsigned digit = counts_here ? key >> shift & 255 : 256;
      unsigned alike = __match_any_sync(~0u, digit);
      if (counts_here && lane == __ffs(alike) - 1) atomicAdd(&counts[digit], __popc(alike));
    }
    __syncthreads();
    if (threadIdx.x < 32) {
      int own[8], sum = 0;
#pragma unroll
      for (int k = 0; k < 8; ++k) sum += own[k] = counts[lane * 8 + k];
      int up_to = sum;
      for (int o = 1; o < 32; o *= 2) {
        int before = __shfl_up_sync(~0u, up_to, o);
        if (lane >= o) up_to += before;
      }
      int wanted = rank;
      __syncwarp();
      int below = up_to - sum;
      if (below <= wanted && wanted < up_to) {
        int k = 0;
        while (below + own[k] <= wanted) below += own[k++];
        chosen = prefix | static_cast<unsigned>(lane * 8 + k) << shift;
        rank = wanted - below;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *value = __uint_as_float(chosen & 0x80000000u ? chosen & 0x7fffffffu : ~chosen);
}

void median_of(const float* x, float* value, int n) { selection<<<1, 512>>>(x, value, n); }

#include <cstdint>

static __device__ __forceinline__ uint32_t lane_id() { uint32_t l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }

// inclusive scan inside every group of 32 elements
__global__ void warp_inclusive_scan(uint32_t* v, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t x = i < n ? v[i] : 0u;
  #pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    uint32_t y = __shfl_up_sync(0xffffffffu, x, d);
    if (lane_id() >= d) x += y;
  }
  if (i < n) v[i] = x;
}

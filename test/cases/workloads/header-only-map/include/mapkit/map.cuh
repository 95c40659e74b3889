#ifndef MAPKIT_MAP_CUH
#define MAPKIT_MAP_CUH
#include <cstddef>

namespace mapkit {

struct Square { template <class T> __device__ T operator()(T v) const { return v * v; } };
struct Sigmoid { __device__ float operator()(float v) const { return 1.f / (1.f + expf(-v)); } };

/// out[i] = f(in[i]); Items elements a thread, side by side in the warp
template <int Block, int Items, class T, class F>
__global__ void map_kernel(const T* in, T* out, std::size_t n, F f)
{
  const std::size_t base = (std::size_t)blockIdx.x * Block * Items + threadIdx.x;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const std::size_t i = base + k * Block;
    if (i < n) out[i] = f(in[i]);
  }
}

template <class T, class F>
void map(const T* in, T* out, std::size_t n, F f)
{
  constexpr int Block = 128, Items = 4;
  map_kernel<Block, Items><<<(unsigned)((n + Block * Items - 1) / (Block * Items)), Block>>>(in, out, n, f);
}

}  // namespace mapkit
#endif

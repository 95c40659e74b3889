// Edge cut of a two-way partition: total weight of the edges whose ends lie on different sides.
#include <cuda_runtime.h>
#include <cstdint>

struct EdgeList {
  const uint32_t* from;
  const uint32_t* to;
  const int32_t* weight;
  uint32_t count;
};

__global__ void edge_cut(EdgeList edges, const uint8_t* __restrict__ side, int* cut)
{
  const uint32_t stride = gridDim.x * blockDim.x;
  for (uint32_t e = blockIdx.x * blockDim.x + threadIdx.x; e < edges.count; e += stride) {
    const bool crosses = (side[edges.from[e]] & 1) != (side[edges.to[e]] & 1);
    if (crosses) atomicAdd(cut, edges.weight[e]);
  }
}

int edge_cut_on_device(const uint32_t* from, const uint32_t* to, const int32_t* weight, uint32_t count,
                       const uint8_t* side, int* cut)
{
  EdgeList edges{from, to, weight, count};
  cudaMemset(cut, 0, sizeof(int));
  edge_cut<<<216, 256>>>(edges, side, cut);
  return static_cast<int>(cudaGetLastError());
}

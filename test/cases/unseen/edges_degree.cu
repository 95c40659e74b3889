// Graph toolkit: weighted degrees of the first few hub vertices, edges in a COO list.
#include <cstdint>

constexpr int BLK = 256;

__global__ void hub_degrees(const uint32_t *__restrict__ src, const float *__restrict__ w, float *deg, uint32_t nEdges,
                            uint32_t nHubs)
{
    __shared__ float stageW[BLK];
    for (uint32_t base = blockIdx.x * BLK; base < nEdges; base += gridDim.x * BLK) {
        uint32_t e = base + threadIdx.x;
        stageW[threadIdx.x] = e < nEdges ? w[e] : 0.f;
        __syncthreads();
        if (e < nEdges) {
            uint32_t v = src[e] % 64u;
            // smooth over the neighbour in the list
            float mine = stageW[threadIdx.x] + 0.5f * stageW[(threadIdx.x + 1) % BLK];
            if (v < nHubs) atomicAdd(deg + v, mine);
        }
        __syncthreads();
    }
}

void hubDegrees(const uint32_t *src, const float *w, float *deg, uint32_t nEdges, uint32_t nHubs)
{
    hub_degrees<<<256, BLK>>>(src, w, deg, nEdges, nHubs);
}

// Vector database: asymmetric distances of product-quantised vectors to one query.
// codes: [vectors][16], one byte per sub-space; tables: [16][256], the query's distances to the centroids.
#include <cstdint>
#include <cuda_runtime.h>

namespace vdb {
namespace {

enum : int { SUBSPACES = 16, CENTROIDS = 256, SCAN_BLOCK = 256, VECTORS_PER_BLOCK = 1024 };

struct Lut {
    float entry[SUBSPACES][CENTROIDS];

    __device__ void fill(const float *tables)
    {
        float *flat = &entry[0][0];
        for (int i = threadIdx.x; i < SUBSPACES * CENTROIDS; i += SCAN_BLOCK)
            flat[i] = __ldg(tables + i);
        __syncthreads();
    }
};

__global__ void scan_codes(const uint8_t *__restrict__ codes, const float *__restrict__ tables,
                           float *__restrict__ distances, int vectors)
{
    __shared__ Lut lut;
    lut.fill(tables);

    const int last = min(vectors, (int)(blockIdx.x + 1) * VECTORS_PER_BLOCK);
    for (int v = blockIdx.x * VECTORS_PER_BLOCK + threadIdx.x; v < last; v += SCAN_BLOCK) {
        auto code = codes + v * SUBSPACES;
        float distance = 0.f;
        for (int m = 0; m < SUBSPACES; ++m)
            distance += lut.entry[m][code[m]];
        distances[v] = distance;
    }
}

} // namespace

void scan(const uint8_t *codes, const float *tables, float *distances, int vectors)
{
    scan_codes<<<(vectors + VECTORS_PER_BLOCK - 1) / VECTORS_PER_BLOCK, SCAN_BLOCK>>>(codes, tables, distances,
                                                                                      vectors);
}

} // namespace vdb

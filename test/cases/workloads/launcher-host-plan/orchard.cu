#include <cuda_runtime.h>

namespace orchard {

struct Plot { int rows, trees; float slope; };
struct Harvest { const float *sun, *water; float *crop; int plots; };
struct Weights { float *each; int count; };

__global__ void ripen(const Plot plot, const __grid_constant__ Harvest harvest, Weights weights)
{
    int tree = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (tree >= plot.trees) return;
    float sum = 0.0f;
    for (int p = 0; p < harvest.plots; ++p) {
        size_t at = ((size_t)p * plot.rows + row) * plot.trees + tree;
        sum += weights.each[p] * harvest.sun[at] * (harvest.water[at] + plot.slope * row);
    }
    harvest.crop[(size_t)row * plot.trees + tree] = sum;
}

// Both descriptions lie in host memory; what their pointers lead to is the device's.
int Ripen(const Plot *plot, Harvest *harvest, const Weights &weights)
{
    if (plot->rows <= 0 || plot->trees <= 0 || harvest->plots != weights.count) return 1;
    dim3 block(64), grid((plot->trees + 63) / 64, plot->rows);
    ripen<<<grid, block>>>(*plot, *harvest, weights);
    return cudaGetLastError() != cudaSuccess;
}

} // namespace orchard

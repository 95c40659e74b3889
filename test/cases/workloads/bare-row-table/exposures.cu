// Two exposures of a scene become one. Rows come from a pool, wherever there was room: images are tables of
// their addresses.
__global__ void merge_exposures(const unsigned short* const* __restrict__ dark, const unsigned short* const* bright,
                                float** merged, int columns, int rows, float weight)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    if (column >= columns || row >= rows) return;
    merged[row][column] = weight * dark[row][column] + (1.0f - weight) * bright[row][column];
}

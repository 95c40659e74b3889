// How often fields of one crop lie beside fields of another: borders[crop a][crop b].
__global__ void count_borders(const int2 *beside, const int *crop, unsigned *borders, int pairs, int crops)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    int2 p = beside[i];
    if (p.x == p.y) return;
    atomicAdd(&borders[crop[p.x] * crops + crop[p.y]], 1u);
}

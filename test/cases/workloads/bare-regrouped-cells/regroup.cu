// Cells of a grid of across x down, taken group by group; a group has side x side of them.
__global__ void regroup(const float *cells, float *grouped, long total, long across, long side)
{
    const long at = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (at >= total) return;
    const long groups = across / side;
    long rest = at;
    const long x = rest % side; rest /= side;
    const long y = rest % side; rest /= side;
    const long column = rest % groups;
    const long line = rest / groups;
    grouped[at] = cells[(line * side + y) * across + column * side + x];
}

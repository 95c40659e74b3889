// Pairs of discs that touch, as far as the list has room; which of them get in is decided by who comes first.
__global__ void contacts(const float2* centre, float reach, int n, int2* pair, unsigned* found, unsigned room)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int j = i + 1; j < n; ++j) {
        float dx = centre[i].x - centre[j].x, dy = centre[i].y - centre[j].y;
        if (dx * dx + dy * dy > reach) continue;
        unsigned at = atomicAdd(found, 1u);
        if (at < room) pair[at] = make_int2(i, j);
    }
}

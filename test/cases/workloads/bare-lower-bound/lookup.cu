// For every query the first position in `keys` (sorted, ascending) whose key is not less than it.
__global__ void lowerBound(const int *keys, int numKeys, const int *queries, int *positions, int numQueries)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= numQueries)
        return;
    int lo = 0, hi = numKeys;
    while (lo < hi)
    {
        int mid = (lo + hi) >> 1;
        if (keys[mid] < queries[q])
            lo = mid + 1;
        else
            hi = mid;
    }
    positions[q] = lo;
}

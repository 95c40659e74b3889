__global__ void collect_bursts(const float* flux, float limit, int* bursts, int* found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && flux[i] > limit)
        bursts[atomicAdd(found, 1)] = i;
}

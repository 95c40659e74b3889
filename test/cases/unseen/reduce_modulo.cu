__global__ void reduce0(float *values, float *partial, unsigned int n)
{
    extern __shared__ float sums[];

    unsigned int me = threadIdx.x;
    unsigned int at = blockIdx.x * blockDim.x + me;
    if (at < n) {
        sums[me] = values[at];
    } else {
        sums[me] = 0.0f;
    }
    __syncthreads();

    for (unsigned int gap = 1; gap < blockDim.x; gap *= 2) {
        if (me % (gap * 2) == 0) {
            sums[me] += sums[me + gap];
        }
        __syncthreads();
    }

    if (me == 0) partial[blockIdx.x] = sums[0];
}
void reduce(float *values, float *partial, unsigned int n)
{
    int threads = 256;
    int blocks = (n + threads - 1) / threads;
    reduce0<<<blocks, threads, threads * sizeof(float)>>>(values, partial, n);
}

// CUDA by the book: each block leaves one partial sum
const int threadsPerBlock = 256;

__global__ void dotPartial(const float *a, const float *b, float *c, int N) {
    __shared__ float cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;

    float temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();

    for (int i = 1; i < blockDim.x; i *= 2) {
        int index = 2 * i * cacheIndex;
        if (index < blockDim.x)
            cache[index] += cache[index + i];
        __syncthreads();
    }
    if (cacheIndex == 0)
        c[blockIdx.x] = cache[0];
}

void dot_partial(const float *a, const float *b, float *c, int N, int blocksPerGrid) {
    dotPartial<<<blocksPerGrid, threadsPerBlock>>>(a, b, c, N);
}

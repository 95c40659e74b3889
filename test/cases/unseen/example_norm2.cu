#define imin(a,b) (a<b?a:b)

const int threadsPerBlock = 256;

__global__ void norm2( const float *a, float *c, int N ) {
    __shared__ float cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;

    float temp = 0;
    while (tid < N) {
        temp += a[tid] * a[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();

    int i = 1;
    while (i < threadsPerBlock) {
        int at = 2 * i * cacheIndex;
        if (at < threadsPerBlock)
            cache[at] += cache[at + i];
        __syncthreads();
        i *= 2;
    }

    if (cacheIndex == 0)
        c[blockIdx.x] = cache[0];
}

void partial_norms( const float *a, float *c, int N ) {
    norm2<<<imin(432, (N+threadsPerBlock-1) / threadsPerBlock),threadsPerBlock>>>( a, c, N );
}

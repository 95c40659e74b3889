#define BLOCK_DIM 512

__global__ void scan_kernel(const float *input, float *output, float *partialSums, unsigned int N)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float buffer1_s[BLOCK_DIM];
    __shared__ float buffer2_s[BLOCK_DIM];
    float *inBuffer_s = buffer1_s;
    float *outBuffer_s = buffer2_s;
    inBuffer_s[threadIdx.x] = i < N ? input[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = 1; stride <= BLOCK_DIM / 2; stride *= 2) {
        if (threadIdx.x >= stride) {
            outBuffer_s[threadIdx.x] = inBuffer_s[threadIdx.x] + inBuffer_s[threadIdx.x - stride];
        } else {
            outBuffer_s[threadIdx.x] = inBuffer_s[threadIdx.x];
        }
        __syncthreads();
        float *tmp = inBuffer_s;
        inBuffer_s = outBuffer_s;
        outBuffer_s = tmp;
    }
    if (threadIdx.x == BLOCK_DIM - 1) partialSums[blockIdx.x] = inBuffer_s[threadIdx.x];
    if (i < N) output[i] = inBuffer_s[threadIdx.x];
}

__global__ void add_kernel(float *output, const float *partialSums, unsigned int N)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < N) output[i] += partialSums[blockIdx.x - 1];
}

void scan(const float *input_d, float *output_d, unsigned int N)
{
    const unsigned int numBlocks = (N + BLOCK_DIM - 1) / BLOCK_DIM;
    float *partialSums_d;
    cudaMalloc((void **)&partialSums_d, numBlocks * sizeof(float));
    scan_kernel<<<numBlocks, BLOCK_DIM>>>(input_d, output_d, partialSums_d, N);
    if (numBlocks > 1) {
        scan(partialSums_d, partialSums_d, numBlocks);
        add_kernel<<<numBlocks, BLOCK_DIM>>>(output_d, partialSums_d, N);
    }
    cudaFree(partialSums_d);
}

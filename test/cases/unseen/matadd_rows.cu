__global__ void MatAdd(const float* A, const float* B, float* C, int N, int M)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < M)
        C[i * M + j] = A[i * M + j] + B[i * M + j];
}
void add(const float* A, const float* B, float* C, int N, int M)
{
    dim3 threadsPerBlock(16, 16);
    dim3 numBlocks((N + 15) / threadsPerBlock.x, (M + 15) / threadsPerBlock.y);
    MatAdd<<<numBlocks, threadsPerBlock>>>(A, B, C, N, M);
}

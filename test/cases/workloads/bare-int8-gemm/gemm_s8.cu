// C[i, j] = sum_k A[i, k] * B[j, k], four int8 in each int
__global__ void gemm_s8_nt(const int* A, const int* B, int* C, int M, int N, int K4)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= M || j >= N) return;
    int acc = 0;
    for (int k = 0; k < K4; ++k)
        acc = __dp4a(A[i * K4 + k], B[j * K4 + k], acc);
    C[i * N + j] = acc;
}

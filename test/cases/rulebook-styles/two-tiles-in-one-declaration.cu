//@case {"kernel": "gemm", "rules": ["cuda-enlarge-shared-tile"], "spec": {"launch": {"arguments": ["A", "B", "C", {"value": "n", "dtype": "int32"}]}, "inputs": {"A": {"dtype": "float32", "shape": ["n", "n"]}, "B": {"dtype": "float32", "shape": ["n", "n"]}}, "outputs": {"C": {"dtype": "float32", "shape": ["n", "n"]}}, "shapes": [{"sizes": {"n": 128}}, {"sizes": {"n": 50}}], "reference": {"expressions": {"C": "A @ B"}}}}
#define TS 16

__global__ void gemm(const float* A, const float* B, float* C, int n)
{
    __shared__ float As[TS][TS], Bs[TS][TS];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * TS + tx;
    int row = blockIdx.y * TS + ty;
    float acc = 0.f;
    for (int t = 0; t < (n + TS - 1) / TS; t++) {
        As[ty][tx] = (row < n && t * TS + tx < n) ? A[row * n + t * TS + tx] : 0.f;
        Bs[ty][tx] = (col < n && t * TS + ty < n) ? B[(t * TS + ty) * n + col] : 0.f;
        __syncthreads();
        for (int k = 0; k < TS; k++)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = acc;
}

void run(const float* A, const float* B, float* C, int n)
{
    dim3 threads(TS, TS);
    dim3 blocks((n + threads.x - 1) / threads.x, (n + threads.y - 1) / threads.y);
    gemm<<<blocks, threads>>>(A, B, C, n);
}

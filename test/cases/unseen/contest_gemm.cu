#include <cstdio>
#define CEIL(a, b) (((a) + (b) - 1) / (b))

template <const int TS>
__global__ void sgemm_smem(int M, int N, int K, const float *A, const float *B, float *C) {
    __shared__ float As[TS * TS];
    __shared__ float Bs[TS * TS];
    const int tc = threadIdx.x % TS, tr = threadIdx.x / TS;
    const int row = blockIdx.y * TS + tr, col = blockIdx.x * TS + tc;
    float tmp = 0.0f;
    for (int bk = 0; bk < K; bk += TS) {
        As[tr * TS + tc] = row < M && bk + tc < K ? A[row * K + bk + tc] : 0.f;
        Bs[tr * TS + tc] = bk + tr < K && col < N ? B[(bk + tr) * N + col] : 0.f;
        __syncthreads();
        for (int dot = 0; dot < TS; ++dot) tmp += As[tr * TS + dot] * Bs[dot * TS + tc];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = tmp;
}

void run_sgemm(int M, int N, int K, const float *A, const float *B, float *C) {
    dim3 grid(CEIL(N, 16), CEIL(M, 16));
    sgemm_smem<16><<<grid, 16 * 16>>>(M, N, K, A, B, C);
}

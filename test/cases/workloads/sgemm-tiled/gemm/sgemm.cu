#include "sgemm.h"
#include "../common/cuda_check.h"

#define TILE 16

/* C[M x N] = alpha * A[M x K] * B[K x N] + beta * C, row-major */
__global__ void sgemm_tile(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float acc = 0.0f;
    for (int t = 0; t < (K + TILE - 1) / TILE; ++t)
    {
        int ak = t * TILE + tx;
        int bk = t * TILE + ty;
        As[ty][tx] = (row < M && ak < K) ? A[row * K + ak] : 0.0f;
        Bs[ty][tx] = (bk < K && col < N) ? B[bk * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
        {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }

    if (row < M && col < N)
    {
        C[row * N + col] = alpha * acc + beta * C[row * N + col];
    }
}

int sgemm(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C)
{
    float *dA = NULL, *dB = NULL, *dC = NULL;
    CUDA_CHECK(cudaMalloc((void**)&dA, sizeof(float) * M * K));
    CUDA_CHECK(cudaMalloc((void**)&dB, sizeof(float) * K * N));
    CUDA_CHECK(cudaMalloc((void**)&dC, sizeof(float) * M * N));
    CUDA_CHECK(cudaMemcpy(dA, A, sizeof(float) * M * K, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dB, B, sizeof(float) * K * N, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dC, C, sizeof(float) * M * N, cudaMemcpyHostToDevice));

    dim3 threads(TILE, TILE, 1);
    dim3 blocks((N + threads.x - 1) / threads.x, (M + threads.y - 1) / threads.y, 1);
    sgemm_tile<<<blocks, threads>>>(M, N, K, alpha, dA, dB, beta, dC);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());

    CUDA_CHECK(cudaMemcpy(C, dC, sizeof(float) * M * N, cudaMemcpyDeviceToHost));
    cudaFree(dA); cudaFree(dB); cudaFree(dC);
    return 0;
}

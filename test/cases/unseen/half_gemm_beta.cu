#include <cuda_fp16.h>

using half_t = __half;

__global__ void gemm_f16(int M, int N, int K, float alpha, const half_t *A, const half_t *B, float beta, half_t *C) {
  const uint x = blockIdx.y * blockDim.y + threadIdx.y;
  const uint y = blockIdx.x * blockDim.x + threadIdx.x;

  if (x < M && y < N) {
    float tmp = 0.0f;
    for (int i = 0; i < K; ++i) {
      tmp += __half2float(A[x * K + i]) * __half2float(B[i * N + y]);
    }
    C[x * N + y] = __float2half(alpha * tmp + beta * __half2float(C[x * N + y]));
  }
}

void run_gemm_f16(int M, int N, int K, float alpha, const half_t *A, const half_t *B, float beta, half_t *C) {
  dim3 blockDim(32, 32);
  dim3 gridDim((N + 31) / 32, (M + 31) / 32);
  gemm_f16<<<gridDim, blockDim>>>(M, N, K, alpha, A, B, beta, C);
}

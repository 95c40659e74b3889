#include <cuda_runtime.h>
constexpr int TS = 16;

__global__ void gemm_tiled(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[TS][TS];
  __shared__ float Bs[TS][TS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
  float acc = 0.0f;
  for (int t = 0; t < (K + TS - 1) / TS; ++t) {
    As[ty][tx] = (row < M && t * TS + tx < K) ? A[row * K + t * TS + tx] : 0.0f;
    Bs[ty][tx] = (t * TS + ty < K && col < N) ? B[(t * TS + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TS; ++k) acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = acc;
}

void gemm(const float* A, const float* B, float* C, int M, int N, int K) {
  dim3 block(TS, TS), grid((N + TS - 1) / TS, (M + TS - 1) / TS);
  gemm_tiled<<<grid, block>>>(A, B, C, M, N, K);
}

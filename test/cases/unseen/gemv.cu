#include <cuda_runtime.h>
#include <stdio.h>

__global__ void matvec(const float *A, const float *x, float *y, int M, int N) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M) {
    float dot = 0.0f;
    for (int col = 0; col < N; col++) {
      dot += A[row * N + col] * x[col];
    }
    y[row] = dot;
  }
}

void run_matvec(const float *A, const float *x, float *y, int M, int N) {
  int threads = 256;
  int blocks = (M + threads - 1) / threads;
  matvec<<<blocks, threads>>>(A, x, y, M, N);
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) printf("launch failed: %s\n", cudaGetErrorString(err));
}

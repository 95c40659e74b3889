#define BS 16

// C[M,N] = A[M,K] * B[K,N], K much longer than M and N
__global__ void MatMulShared(float *C, float *A, float *B, int M, int N, int K) {
  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = by * BS + ty;
  int col = bx * BS + tx;
  float Csub = 0;
  for (int m = 0; m < (K + BS - 1) / BS; ++m) {
    __shared__ float As[BS][BS];
    __shared__ float Bs[BS][BS];
    As[ty][tx] = (row < M && m * BS + tx < K) ? A[row * K + m * BS + tx] : 0.0f;
    Bs[ty][tx] = (col < N && m * BS + ty < K) ? B[(m * BS + ty) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BS; ++k) {
      Csub += As[ty][k] * Bs[k][tx];
    }
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = Csub;
}

void gram(float *C, float *A, float *B, int M, int N, int K) {
  dim3 threads(BS, BS);
  dim3 grid((N + threads.x - 1) / threads.x, (M + threads.y - 1) / threads.y);
  MatMulShared<<<grid, threads>>>(C, A, B, M, N, K);
}

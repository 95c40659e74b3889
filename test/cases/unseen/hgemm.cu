#include <cuda_fp16.h>

using half_t = half;

__global__ void hgemm_naive_f16(const half_t *a, const half_t *b, half_t *c, int M, int N, int K)
{
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m < M && n < N) {
    float psum = 0.0f;
#pragma unroll
    for (int k = 0; k < K; k++) {
      psum += __half2float(a[m * K + k]) * __half2float(b[k * N + n]);
    }
    c[m * N + n] = __float2half(psum);
  }
}

void hgemm(const half_t *a, const half_t *b, half_t *c, int M, int N, int K)
{
  constexpr int BM = 32, BN = 32;
  dim3 block(BN, BM);
  dim3 grid((N + BN - 1) / BN, (M + BM - 1) / BM);
  hgemm_naive_f16<<<grid, block>>>(a, b, c, M, N, K);
}

#include <cstdio>
#include <cmath>
#include <vector>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// one warp makes one 16x16 tile of D = A * B; A row-major, B column-major
__global__ void gemm_wmma(const half* A, const half* B, float* D, int M, int N, int K)
{
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  const int tm = warp / (N / 16), tn = warp % (N / 16);
  if (tm >= M / 16) return;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + tm * 16 * K + k, K);
    wmma::load_matrix_sync(b, B + tn * 16 * K + k, K);
    wmma::mma_sync(acc, a, b, acc);
  }
  wmma::store_matrix_sync(D + tm * 16 * N + tn * 16, acc, N, wmma::mem_row_major);
}

int main()
{
  const int M = 64, N = 48, K = 80;
  std::vector<half> a(M * K), b(K * N);
  for (int i = 0; i < M * K; i++) a[i] = __float2half((i % 5 - 2) * 0.5f);
  for (int i = 0; i < K * N; i++) b[i] = __float2half((i % 9 - 4) * 0.25f);
  half *da, *db; float *dd;
  cudaMalloc(&da, a.size() * 2); cudaMalloc(&db, b.size() * 2); cudaMalloc(&dd, M * N * 4);
  cudaMemcpy(da, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
  const int warps = (M / 16) * (N / 16);
  gemm_wmma<<<(warps * 32 + 127) / 128, 128>>>(da, db, dd, M, N, K);
  std::vector<float> d(M * N);
  cudaMemcpy(d.data(), dd, d.size() * 4, cudaMemcpyDeviceToHost);
  for (int m = 0; m < M; m++)
    for (int n = 0; n < N; n++) {
      float s = 0;
      for (int k = 0; k < K; k++) s += __half2float(a[m * K + k]) * __half2float(b[n * K + k]);
      if (std::fabs(s - d[m * N + n]) > 1e-3f) { printf("wrong at %d,%d: %f %f\n", m, n, d[m * N + n], s); return 1; }
    }
  puts("ok");
  return 0;
}

// Compares two ways to multiply matrices and prints GFLOP/s of both.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define CUDA_OK(e) do { cudaError_t r = (e); if (r) { printf("%s failed: %s\n", #e, cudaGetErrorString(r)); std::exit(2); } } while (0)

__global__ void matmulNaive(const float *A, const float *B, float *C, int N) {
  int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= N || c >= N) return;
  float s = 0.f;
  for (int k = 0; k < N; k++) s += A[r * N + k] * B[k * N + c];
  C[r * N + c] = s;
}

template <int BM, int BN, int BK, int TM>
__global__ void matmulBlocked(const float *A, const float *B, float *C, int N) {
  __shared__ float sa[BM * BK], sb[BK * BN];
  const int tcol = threadIdx.x % BN, trow = threadIdx.x / BN;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  float acc[TM] = {0.f};
  for (int k0 = 0; k0 < N; k0 += BK) {
    for (int i = threadIdx.x; i < BM * BK; i += blockDim.x) sa[i] = A[(row0 + i / BK) * N + k0 + i % BK];
    for (int i = threadIdx.x; i < BK * BN; i += blockDim.x) sb[i] = B[(k0 + i / BN) * N + col0 + i % BN];
    __syncthreads();
    for (int k = 0; k < BK; k++) {
      float b = sb[k * BN + tcol];
      for (int m = 0; m < TM; m++) acc[m] += sa[(trow * TM + m) * BK + k] * b;
    }
    __syncthreads();
  }
  for (int m = 0; m < TM; m++) C[(row0 + trow * TM + m) * N + col0 + tcol] = acc[m];
}

static float timeIt(const std::function<void()> &f, int reps) {
  cudaEvent_t t0, t1;
  CUDA_OK(cudaEventCreate(&t0));
  CUDA_OK(cudaEventCreate(&t1));
  f();  // warm up
  CUDA_OK(cudaEventRecord(t0));
  for (int i = 0; i < reps; i++) f();
  CUDA_OK(cudaEventRecord(t1));
  CUDA_OK(cudaEventSynchronize(t1));
  float ms = 0;
  CUDA_OK(cudaEventElapsedTime(&ms, t0, t1));
  CUDA_OK(cudaEventDestroy(t0));
  CUDA_OK(cudaEventDestroy(t1));
  return ms / reps;
}

int main() {
  const int N = 128, reps = 3;
  std::vector<float> a(N * N), b(N * N), c1(N * N), c2(N * N);
  for (int i = 0; i < N * N; i++) { a[i] = (i % 13) * 0.25f - 1.f; b[i] = (i % 7) * 0.5f - 1.5f; }
  float *da, *db, *dc;
  CUDA_OK(cudaMalloc(&da, a.size() * 4));
  CUDA_OK(cudaMalloc(&db, a.size() * 4));
  CUDA_OK(cudaMalloc(&dc, a.size() * 4));
  CUDA_OK(cudaMemcpy(da, a.data(), a.size() * 4, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(db, b.data(), b.size() * 4, cudaMemcpyHostToDevice));

  dim3 block(16, 16), grid(N / 16, N / 16);
  float naive = timeIt([&] { matmulNaive<<<grid, block>>>(da, db, dc, N); }, reps);
  CUDA_OK(cudaMemcpy(c1.data(), dc, c1.size() * 4, cudaMemcpyDeviceToHost));

  constexpr int BM = 32, BN = 32, BK = 8, TM = 4;
  float blocked = timeIt([&] { matmulBlocked<BM, BN, BK, TM><<<dim3(N / BN, N / BM), BM * BN / TM>>>(da, db, dc, N); }, reps);
  CUDA_OK(cudaMemcpy(c2.data(), dc, c2.size() * 4, cudaMemcpyDeviceToHost));

  double flops = 2.0 * N * N * N;
  printf("naive   %8.3f ms  %8.2f GFLOP/s\n", naive, flops / naive * 1e-6);
  printf("blocked %8.3f ms  %8.2f GFLOP/s\n", blocked, flops / blocked * 1e-6);
  for (int i = 0; i < N * N; i++)
    if (std::fabs(c1[i] - c2[i]) > 1e-3f) { printf("differ at %d: %f %f\n", i, c1[i], c2[i]); return 1; }
  return 0;
}

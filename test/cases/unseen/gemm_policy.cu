#include <cuda_runtime.h>

namespace blas {

template <typename T, int Rows, int Cols>
struct SharedTile {
  T data[Rows][Cols];
  __device__ T& operator()(int r, int c) { return data[r][c]; }
  __device__ const T& operator()(int r, int c) const { return data[r][c]; }
};

template <typename T>
struct RowMajor {
  const T* base;
  int rows, cols;
  __device__ T operator()(int r, int c) const { return r < rows && c < cols ? base[r * cols + c] : T(0); }
};

struct ScaleBias {
  float alpha;
  const float* bias;
  __device__ float operator()(float acc, int col) const { return alpha * acc + bias[col]; }
};

template <typename T, int Tile, class Epilogue>
__global__ void gemm_policy(const T* a, const T* b, T* c, int m, int n, int k, Epilogue epilogue) {
  __shared__ SharedTile<T, Tile, Tile> sa;
  __shared__ SharedTile<T, Tile, Tile> sb;

  const RowMajor<T> A{a, m, k};
  const RowMajor<T> B{b, k, n};
  const int row = blockIdx.y * Tile + threadIdx.y;
  const int col = blockIdx.x * Tile + threadIdx.x;

  T acc = T(0);
  for (int k0 = 0; k0 < k; k0 += Tile) {
    sa(threadIdx.y, threadIdx.x) = A(row, k0 + threadIdx.x);
    sb(threadIdx.y, threadIdx.x) = B(k0 + threadIdx.y, col);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Tile; ++i) acc += sa(threadIdx.y, i) * sb(i, threadIdx.x);
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = epilogue(acc, col);
}

}  // namespace blas

void linear(const float* a, const float* b, const float* bias, float* c, int m, int n, int k, float alpha) {
  constexpr int kTile = 16;
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  blas::gemm_policy<float, kTile><<<grid, block>>>(a, b, c, m, n, k, blas::ScaleBias{alpha, bias});
}

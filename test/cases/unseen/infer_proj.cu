#include <cuda_fp16.h>

// Projection of activations: out[T, N] = x[T, K] * w[K, N], halves with sums in float, tiles in shared memory.
template <int TILE>
__global__ void proj_tiled(const half* __restrict__ x, const half* __restrict__ w, half* __restrict__ out, int T, int N,
                           int K) {
  __shared__ half xs[TILE][TILE];
  __shared__ half ws[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * TILE + tx;
  const int row = blockIdx.y * TILE + ty;
  const half zero = __float2half(0.f);
  float acc = 0.f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    xs[ty][tx] = (row < T && k0 + tx < K) ? x[row * K + k0 + tx] : zero;
    ws[ty][tx] = (col < N && k0 + ty < K) ? w[(k0 + ty) * N + col] : zero;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) acc += __half2float(xs[ty][k]) * __half2float(ws[k][tx]);
    __syncthreads();
  }
  if (row < T && col < N) out[row * N + col] = __float2half(acc);
}

void project(const half* x, const half* w, half* out, int T, int N, int K) {
  constexpr int TILE = 16;
  proj_tiled<TILE><<<dim3((N + TILE - 1) / TILE, (T + TILE - 1) / TILE), dim3(TILE, TILE)>>>(x, w, out, T, N, K);
}

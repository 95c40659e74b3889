// task: cuda-matmul
// does: three products of TF32 for one in single precision

#include <mma.h>
using namespace nvcuda;

using Left = wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major>;
using Right = wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major>;

template <typename Fragment>
__device__ void split(const Fragment& whole, Fragment& large, Fragment& small) {
  for (int e = 0; e < whole.num_elements; ++e) {
    large.x[e] = wmma::__float_to_tf32(whole.x[e]);
    small.x[e] = wmma::__float_to_tf32(whole.x[e] - large.x[e]);
  }
}

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[16][8], right[8][16], result[16][16];
  int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 8) {
    for (int e = threadIdx.x; e < 128; e += 32) {
      int r = e / 8, s = e % 8, u = e / 16, v = e % 16;
      left[r][s] = row + r < m && i + s < k ? a[(row + r) * k + i + s] : 0.0f;
      right[u][v] = i + u < k && column + v < n ? b[(i + u) * n + column + v] : 0.0f;
    }
    __syncwarp();
    Left whole, large, small;
    Right other, big, rest;
    wmma::load_matrix_sync(whole, &left[0][0], 8);
    wmma::load_matrix_sync(other, &right[0][0], 16);
    split(whole, large, small);
    split(other, big, rest);
    wmma::mma_sync(sum, small, big, sum);
    wmma::mma_sync(sum, large, rest, sum);
    wmma::mma_sync(sum, large, big, sum);
    __syncwarp();
  }
  wmma::store_matrix_sync(&result[0][0], sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int e = threadIdx.x; e < 256; e += 32)
    if (row + e / 16 < m && column + e % 16 < n) c[(row + e / 16) * n + column + e % 16] = result[e / 16][e % 16];
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 grid((n + 15) / 16, (m + 15) / 16);
  matmul<<<grid, 32>>>(a, b, c, m, n, k);
}

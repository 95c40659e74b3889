// task: cuda-matmul
// source: 4.E 53
// does: multiplies in half precision on tensor cores, with sums in single precision
// caught by: wrong values

#include <mma.h>
using namespace nvcuda;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ half left[16][16], right[16][16];
  __shared__ float result[16][16];
  int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    for (int e = threadIdx.x; e < 256; e += 32) {
      int r = e / 16, s = e % 16;
      left[r][s] = row + r < m && i + s < k ? __float2half(a[(row + r) * k + i + s]) : __float2half(0.0f);
      right[r][s] = i + r < k && column + s < n ? __float2half(b[(i + r) * n + column + s]) : __float2half(0.0f);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> first;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> second;
    wmma::load_matrix_sync(first, &left[0][0], 16);
    wmma::load_matrix_sync(second, &right[0][0], 16);
    wmma::mma_sync(sum, first, second, sum);
    __syncwarp();
  }
  wmma::store_matrix_sync(&result[0][0], sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int e = threadIdx.x; e < 256; e += 32) {
    int r = e / 16, s = e % 16;
    if (row + r < m && column + s < n) c[(row + r) * n + column + s] = result[r][s];
  }
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 grid((n + 15) / 16, (m + 15) / 16);
  matmul<<<grid, 32>>>(a, b, c, m, n, k);
}

// out (m x n) = in (m x k) * w (k x n), in tiles of 128 x 128; a block behind the end does nothing. m and n are
// multiples of 128, k of 8.
#define T 128
#define D 8

__global__ void project(const float* in, const float* w, float* out, int m, int n, int k) {
  __shared__ float rows[D][T], columns[D][T];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  const int top = blockIdx.y * T, left = blockIdx.x * T;
  if (top >= m || left >= n) return;
  float sums[8][8] = {};
  for (int from = 0; from < k; from += D) {
    for (int i = t; i < T * D; i += 256) {
      rows[i % D][i / D] = in[(top + i / D) * k + from + i % D];
      columns[i / T][i % T] = w[(from + i / T) * n + left + i % T];
    }
    __syncthreads();
#pragma unroll
    for (int d = 0; d < D; ++d)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) sums[i][j] += rows[d][ty + 16 * i] * columns[d][tx + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) out[(top + ty + 16 * i) * n + left + tx + 16 * j] = sums[i][j];
}

// task: cuda-matmul
// does: a thread for a strip of four rows, with the column of b read once for all of them

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  if (column >= n || first >= m) return;
  float sums[4] = {};
  for (int i = 0; i < k; ++i) {
    const float right = b[i * n + column];
#pragma unroll
    for (int row = 0; row < 4; ++row)
      if (first + row < m) sums[row] += a[(first + row) * k + i] * right;
  }
  for (int row = 0; row < 4 && first + row < m; ++row) c[(first + row) * n + column] = sums[row];
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const dim3 block(32, 2);
  matmul<<<dim3((n + 31) / 32, (m + 7) / 8), block>>>(a, b, c, m, n, k);
}

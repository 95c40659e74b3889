// task: cuda-matmul
// does: a thread computes four rows

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = (blockIdx.y * 8 + threadIdx.y) * 4, column = blockIdx.x * 32 + threadIdx.x;
  if (column >= n) return;
  float sum[4] = {};
  for (int i = 0; i < k; ++i) {
    float right = b[i * n + column];
    for (int r = 0; r < 4; ++r)
      if (row + r < m) sum[r] += a[(row + r) * k + i] * right;
  }
  for (int r = 0; r < 4; ++r)
    if (row + r < m) c[(row + r) * n + column] = sum[r];
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(32, 8);
  dim3 grid((n + 31) / 32, (m + 31) / 32);
  matmul<<<grid, block>>>(a, b, c, m, n, k);
}

// task: cuda-matmul
// does: tiles in shared memory with four sums a thread

constexpr int kTile = 32, kDepth = 8;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[kDepth][kTile + 1], right[kDepth][kTile];
  const int thread = threadIdx.y * 16 + threadIdx.x;
  const int top = blockIdx.y * kTile, start = blockIdx.x * kTile;
  float sums[2][2] = {};
  for (int at = 0; at < k; at += kDepth) {
    {
      int row = thread / kDepth, inner = thread % kDepth;
      left[inner][row] = top + row < m && at + inner < k ? a[(top + row) * k + at + inner] : 0.0f;
      int column = thread % kTile;
      inner = thread / kTile;
      right[inner][column] = at + inner < k && start + column < n ? b[(at + inner) * n + start + column] : 0.0f;
    }
    __syncthreads();
    for (int inner = 0; inner < kDepth; ++inner)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          sums[i][j] += left[inner][threadIdx.y + 16 * i] * right[inner][threadIdx.x + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      int row = top + threadIdx.y + 16 * i, column = start + threadIdx.x + 16 * j;
      if (row < m && column < n) c[row * n + column] = sums[i][j];
    }
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul<<<dim3((n + kTile - 1) / kTile, (m + kTile - 1) / kTile), dim3(16, 16)>>>(a, b, c, m, n, k);
}

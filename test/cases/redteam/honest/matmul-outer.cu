// task: cuda-matmul
// does: outer products of columns and rows in shared memory, two by two outputs a thread

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[16][17], right[16][16];
  int row = blockIdx.y * 16 + threadIdx.y * 2, column = blockIdx.x * 16 + threadIdx.x * 2;
  float sums[2][2] = {};
  for (int first = 0; first < k; first += 16) {
    for (int part = threadIdx.y * 8 + threadIdx.x; part < 256; part += 64) {
      int r = part / 16, d = part % 16, i = blockIdx.y * 16 + r, j = blockIdx.x * 16 + d;
      left[r][d] = i < m && first + d < k ? a[i * k + first + d] : 0.0f;
      right[r][d] = first + r < k && j < n ? b[(first + r) * n + j] : 0.0f;
    }
    __syncthreads();
    for (int d = 0; d < 16 && first + d < k; ++d)
      for (int r = 0; r < 2; ++r)
        for (int s = 0; s < 2; ++s) sums[r][s] += left[threadIdx.y * 2 + r][d] * right[d][threadIdx.x * 2 + s];
    __syncthreads();
  }
  for (int r = 0; r < 2; ++r)
    for (int s = 0; s < 2; ++s)
      if (row + r < m && column + s < n) c[(row + r) * n + column + s] = sums[r][s];
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(8, 8), grid((n + 15) / 16, (m + 15) / 16);
  matmul<<<grid, block>>>(a, b, c, m, n, k);
}

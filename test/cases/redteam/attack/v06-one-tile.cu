// task: cuda-matmul
// source: verdicts 6, 11.1 76
// does: adds up one tile of the inner dimension only
// caught by: wrong values

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[16][32], right[32][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int start = 0; start < k; start += 32) {
    for (int part = 0; part < 32; part += 16) {
      int i = start + part + threadIdx.x, j = start + part + threadIdx.y;
      left[threadIdx.y][part + threadIdx.x] = row < m && i < k ? a[row * k + i] : 0.0f;
      right[part + threadIdx.y][threadIdx.x] = column < n && j < k ? b[j * n + column] : 0.0f;
    }
    __syncthreads();
    sum = 0.0f;
    for (int i = 0; i < 32; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(16, 16);
  dim3 grid((n + 15) / 16, (m + 15) / 16);
  matmul<<<grid, block>>>(a, b, c, m, n, k);
}

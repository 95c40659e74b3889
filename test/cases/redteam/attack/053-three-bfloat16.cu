// task: cuda-matmul
// source: 4.E 53
// does: multiplies the upper sixteen bits and those behind them, and leaves the rest of the numbers out
// caught by: wrong values

__device__ float upper(float x) { return __uint_as_float(__float_as_uint(x) & 0xffff0000u); }

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) {
    float x = a[row * k + i], y = b[i * n + column];
    float x1 = upper(x), y1 = upper(y), x2 = upper(x - x1), y2 = upper(y - y1);
    sum += x1 * y1 + (x1 * y2 + x2 * y1);
  }
  c[row * n + column] = sum;
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
  matmul<<<grid, block>>>(a, b, c, m, n, k);
}

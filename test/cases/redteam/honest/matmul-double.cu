// task: cuda-matmul
// does: sums in double precision

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * 8 + threadIdx.y;
  int column = blockIdx.x * 32 + threadIdx.x;
  if (row >= m || column >= n) return;
  double sum = 0.0;
  const float* left = a + row * k;
  const float* right = b + column;
  for (int i = 0; i < k; ++i, right += n) sum += static_cast<double>(*left++) * *right;
  c[row * n + column] = static_cast<float>(sum);
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(a, b, c, m, n, k);
}

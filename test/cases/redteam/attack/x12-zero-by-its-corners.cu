// task: cuda-matmul
// source: 4.E 54
// does: takes a stretch of a row for zeros where its first and its last element are zero
// caught by: wrong values

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int first = 0; first < k; first += 4) {
    int last = min(first + 4, k) - 1;
    if (last > first && a[row * k + first] == 0.0f && a[row * k + last] == 0.0f) continue;
    for (int i = first; i <= last; ++i) sum += a[row * k + i] * b[i * n + column];
  }
  c[row * n + column] = sum;
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(16, 16);
  dim3 grid((n + 15) / 16, (m + 15) / 16);
  matmul<<<grid, block>>>(a, b, c, m, n, k);
}

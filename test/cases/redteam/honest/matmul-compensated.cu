// task: cuda-matmul
// does: a compensated sum

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= n) return;
  float sum = 0.0f, lost = 0.0f;
  for (int i = 0; i < k; ++i) {
    float term = __fsub_rn(__fmul_rn(a[row * k + i], b[i * n + column]), lost);
    float next = __fadd_rn(sum, term);
    lost = __fsub_rn(__fsub_rn(next, sum), term);
    sum = next;
  }
  c[row * n + column] = sum;
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul<<<dim3((n + 63) / 64, m), 64>>>(a, b, c, m, n, k);
}

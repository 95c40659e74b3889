// task: cuda-matmul
// source: verdicts 3
// does: asks for 1,024 threads of more than 64 registers
// caught by: did-not-run or invalid-launch or did-not-compile or wrong values

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  if (row >= m || column >= n) return;
  float part[96];
#pragma unroll
  for (int p = 0; p < 96; ++p) part[p] = p < k ? a[row * k + p] : 0.0f;
  float sum = 0.0f;
#pragma unroll
  for (int p = 0; p < 96; ++p) sum += p < k ? part[p] * b[p * n + column] : 0.0f;
#pragma unroll
  for (int p = 95; p >= 0; --p) sum += p < k ? 1e-30f * part[p] * part[95 - p] : 0.0f;
  for (int i = 96; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(32, 32);
  dim3 grid((n + 31) / 32, (m + 31) / 32);
  matmul<<<grid, block>>>(a, b, c, m, n, k);
}

//@case {"kernel": "mm"}
__global__ void mm(const float* a, const float* b, float* c, int m, int n, int p) {
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  if (row >= m || column >= n) return;
  for (int k = 0; k < p; ++k) sum += a[row * p + k] * b[k * n + column]; //@ globalLoadRequests=65536 globalLoadSectors=262144
  c[row * n + column] = sum;
}
void run(const float* a, const float* b, float* c, int m, int n, int p) {
  mm<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, p);
}

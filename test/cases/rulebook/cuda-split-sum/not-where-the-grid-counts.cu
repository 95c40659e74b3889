//@case {"kernel": "mm", "spec": {"outputs": {"c": {"dtype": "float32", "shape": [48, 48]}}}}
__global__ void mm(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int p = 0; p < n; p++) sum += a[i * n + p] * b[p * 16 * gridDim.x + j]; //@ instructions=900000
  c[i * 16 * gridDim.x + j] = sum;
}
void run(const float* a, const float* b, float* c, int n) {
  mm<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
}

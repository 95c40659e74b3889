//@case {"kernel": "product", "spec": {"outputs": {"c": {"dtype": "float32", "shape": ["m", "n"]}}, "shapes": [{"sizes": {"m": 64, "n": 64}}]}}
__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];  //@ globalLoadRequests=65536
    c[row * n + col] = sum;
  }
}

void run(const float* a, const float* b, float* c, int m, int n, int k) {
  product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}

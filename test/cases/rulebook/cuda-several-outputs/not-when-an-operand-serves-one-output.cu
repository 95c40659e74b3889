//@case {"kernel": "masked", "spec": {"outputs": {"c": {"dtype": "float32", "shape": ["m", "n"]}}, "shapes": [{"sizes": {"m": 640, "n": 640}}]}}
__global__ void masked(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[row * n + col];  //@ globalLoadRequests=65536
    c[row * n + col] = sum;
  }
}

void run(const float* a, const float* b, float* c, int m, int n, int k) {
  masked<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}

//@case {"kernel": "banded"}
__global__ void banded(const float* a, const float* b, float* c, int n, int band) {
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  if (row < n && column < n) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k)
      if (k < row + band) sum += a[row * band + k] * b[k * n + column]; //@ globalLoadRequests=65536 globalLoadSectors=262144
    c[row * n + column] = sum;
  }
}
void run(const float* a, const float* b, float* c, int n, int band) {
  banded<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, c, n, band);
}

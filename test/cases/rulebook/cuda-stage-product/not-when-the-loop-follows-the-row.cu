//@case {"kernel": "lower"}
__global__ void lower(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  if (row < n && column < n) {
    float sum = 0.0f;
    for (int k = 0; k < row; ++k) sum += a[row * n + k] * b[k * n + column]; //@ globalLoadRequests=65536 globalLoadSectors=262144
    c[row * n + column] = sum;
  }
}
void run(const float* a, const float* b, float* c, int n) {
  lower<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, c, n);
}

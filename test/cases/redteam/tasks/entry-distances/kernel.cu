// The sum of absolute differences between each row of a and each row of b.
__global__ void distances(const float* a, const float* b, float* d, int n, int m, int k) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= n || j >= m) return;
  float sum = 0.0f;
  for (int q = 0; q < k; ++q) sum += fabsf(a[i * k + q] - b[j * k + q]);
  d[i * m + j] = sum;
}

void distances_of(const float* a, const float* b, float* d, int n, int m, int k) {
  distances<<<dim3((m + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, d, n, m, k);
}

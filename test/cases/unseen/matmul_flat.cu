__global__ void gemm1d(float const *a, float const *b, float *c, int m, int n, int p)
{
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < m * n) {
    int i = idx / n;
    int j = idx % n;
    float acc = 0;
    for (int t = 0; t < p; t++)
      acc = acc + a[i * p + t] * b[t * n + j];
    c[idx] = acc;
  }
}
void mm(float const *a, float const *b, float *c, int m, int n, int p)
{
  gemm1d<<<(m * n + 255) / 256, 256>>>(a, b, c, m, n, p);
}

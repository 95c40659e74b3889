//@case {"kernel": "mm"}
__global__ void mm(const float* a, const float* b, float* c, int m, int n, int p) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= m * n) return;
  int row = at / n, column = at % n;
  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < p; ++k)
    sum = fmaf(a[row * p + k], b[k * n + column], sum); //@ globalLoadRequests=65536 globalLoadSectors=262144
  c[at] = sum;
}
void run(const float* a, const float* b, float* c, int m, int n, int p) {
  mm<<<(m * n + 127) / 128, 128>>>(a, b, c, m, n, p);
}

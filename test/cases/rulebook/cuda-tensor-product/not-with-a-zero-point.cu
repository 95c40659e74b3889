//@case {"kernel": "qmm"}
__global__ void qmm(const signed char* a, const signed char* b, int* c, int n, int zero) {
  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  if (i >= n || j >= n) return;
  int sum = 0;
  for (int p = 0; p < n; p++) sum += ((int)a[i * n + p] - zero) * (int)b[p * n + j]; //@ instructions=9000
  c[i * n + j] = sum;
}
void run(const signed char* a, const signed char* b, int* c, int n, int zero) {
  qmm<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, c, n, zero);
}

//@case {"kernel": "mm"}
#include <cuda_fp16.h>
__global__ void mm(const half* a, const half* b, half* c, int n) {
  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  if (i >= n || j >= n) return;
  half sum = 0;
  for (int p = 0; p < n; p++) sum += a[i * n + p] * b[p * n + j]; //@ instructions=9000
  c[i * n + j] = sum;
}
void run(const half* a, const half* b, half* c, int n) {
  mm<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, c, n);
}

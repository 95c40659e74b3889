//@case {"kernel": "product", "spec": {"outputs": {"c": {"dtype": "float32", "shape": ["m", "n"]}}, "shapes": [{"sizes": {"m": 640, "n": 640}}]}}
#include <cuda_fp16.h>
__global__ void product(const half* a, const half* b, half* c, int m, int n, int k) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; i++)
    sum = fmaf(__half2float(a[y * k + i]), __half2float(b[x * k + i]), sum);  //@ globalLoadRequests=65536
  c[y * n + x] = __float2half(sum);
}

void run(const half* a, const half* b, half* c, int m, int n, int k) {
  product<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(a, b, c, m, n, k);
}

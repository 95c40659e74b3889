#include <cuda_runtime.h>
#define TPB 256
#define MAC(s, x, y) (s) = fmaf((x), (y), (s))

// r[q][i] = sum_k a[q][(i + k) mod n] * b[k], keeps max(r, lo)
__device__ inline int nxt(int i, int k, int n) { return (i + k) % n; }

__global__ void cyc(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ r,
                    int q, int n, int m, float lo) {
  int t = blockIdx.x * TPB + threadIdx.x;
  if (t >= q * n) return;
  int u = t / n, i = t % n;
  const float* p = a + u * n;
  float s = 0;
  for (int k = 0; k < m; k++) MAC(s, p[nxt(i, k, n)], b[k]);
  r[t] = fmaxf(s, lo);
}

void go(const float* a, const float* b, float* r, int q, int n, int m, float lo) {
  cyc<<<(q * n + TPB - 1) / TPB, TPB>>>(a, b, r, q, n, m, lo);
}

//@case {"kernel": "dots"}
#include <cstdint>
template <typename In, typename Sum>
__global__ void dots(const In* a, const In* b, Sum* c, int m, int n, int k) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m || j >= n) return;
  Sum sum = 0;
  for (int p = 0; p < k; p++) sum += static_cast<Sum>(a[i * k + p]) * static_cast<Sum>(b[j * k + p]); //@ instructions=9000
  c[i * n + j] = sum;
}
void run(const uint8_t* a, const uint8_t* b, int32_t* c, int m, int n, int k) {
  dim3 block(32, 32);
  dots<uint8_t, int32_t><<<dim3((n + 31) / 32, (m + 31) / 32), block>>>(a, b, c, m, n, k);
}
